// SPDX-License-Identifier: Apache-2.0

package import Digests
package import LinuxPrimitives

/// An error of the store.
package enum StoreError: Error, Hashable, Sendable {
  /// No option, variable or home directory determines the state root.
  case noStateRoot
  /// The path is not a directory.
  case notADirectory(path: String)
  /// A directory of the store belongs to another user.
  case foreignOwner(path: String, owner: UInt32, user: UInt32)
  /// Other users can write to a directory of the store.
  case writableByOthers(path: String, permissions: UInt32)
  /// The file system is mounted read-only.
  case readOnlyFileSystem(path: String)
  /// This user may not write to the path.
  case notPermitted(path: String)
  /// The file system is full.
  case noSpace(path: String)
  /// The free space in bytes is at the reserve that sessions leave free.
  case reserveReached(path: String, free: Int64, reserve: Int64)
  /// The layout version of the state root is unknown.
  case unknownLayout(path: String, found: String, known: String)
  /// The text is not a valid ID of an app or group.
  case invalidIdentifier(String)
  /// Two directories between which the migration renames are on different file systems.
  case differentFileSystems(String, String)
  /// A file of the store has invalid contents.
  case damaged(path: String, DocumentFault)
  /// The file of an app context is not JSON or exceeds the size limit.
  case contextDamaged(app: String, path: String, DocumentFault)
  /// The file of an app's permissions is invalid, so that no permission is granted.
  case permissionsDamaged(app: String, path: String, DocumentFault)
  /// A permission setting is invalid.
  case invalidPermissionSetting(PermissionSettingError)
  /// Too many assets were selected.
  case tooManyAssets(limit: Int)
  /// The text is not a valid asset ID.
  case invalidAssetID(String)
  /// Too many devices were selected.
  case tooManyDevices(limit: Int)
  /// The text is not a valid device name.
  case invalidDeviceName(String)
  /// The compact text of an app context exceeds the limit in bytes.
  case contextTooLarge(bytes: Int, limit: Int)
  /// A directory cannot be shared with an app's extensions, or the shared files cannot be used.
  case assets(app: String, directory: String, SharedAssetsFault)
  /// The app has no content of the session.
  case noSuchContent(app: String, session: SessionID)
  /// The quarantine of the app contains nothing of the session.
  case noSuchQuarantine(app: String, session: SessionID)
  /// The text is not a valid name of a content consumer.
  case invalidConsumerName(String)
  /// Another process is running as this consumer.
  case consumerBusy(app: String, consumer: String)
  /// The key is already bound with another number of presses.
  case keyAlreadyBound(KeyBinding)
  /// The key is not bound.
  case keyNotBound(String, bound: [String])
  /// A file already exists at the path.
  case alreadyExists(path: String)
  /// The directory of an app's content was removed during a watch.
  case contentDirectoryRemoved(path: String)
  /// The tree changed during a walk.
  case changedDuringWalk(path: String)
  /// An entry of a session's content cannot be moved because it is a mount point.
  case mountedInside(path: String)
  /// An entry of a session's content cannot be moved because of inode flags that this user may not clear.
  case immovable(path: String)
  /// The processes of a session without a host do not exit. The session is not recovered while they could
  /// change it.
  case stillRunning(session: SessionID, processes: [Int32])
  /// The last entry of the session log is invalid. Nothing is appended.
  case logDamaged(path: String, LogFault)
  /// The path of the root, or of a directory above or below it, is unusable.
  case invalidPath(SystemCallError)
  /// The environment of this process refuses system calls that the store needs.
  case refused(CallRefusal)
  /// A digest could not be computed.
  case digest(DigestError)
  /// A system call failed.
  case system(SystemCallError)
}

extension StoreError {
  /// Whether the error is a lack of space.
  package var isFull: Bool {
    switch self {
    case .noSpace, .reserveReached: true
    case .system(let error): error.errno.isOutOfSpace
    default: false
    }
  }
}

extension StoreError: CustomStringConvertible {
  /// The problem, its location and its fix.
  package var description: String {
    switch self {
    case .noStateRoot:
      "the state root is unknown; set HOME, XDG_STATE_HOME or DARKROOM_ROOT, or use --root DIR"
    case .notADirectory(let path):
      "\(path), or a path above it, is not a directory; remove it, or use another directory with --root DIR"
    case .foreignOwner(let path, let owner, let user):
      "\(path) belongs to UID \(owner), not to UID \(user); run darkroom with UID \(owner), or use another directory with "
        + "--root DIR"
    case .writableByOthers(let path, let permissions):
      "\(path) is writable by other users (mode \(String(permissions, radix: 8))); run 'chmod go-w \(path)'"
    case .readOnlyFileSystem(let path):
      "\(path) is on a file system that is mounted read-only; use another directory with --root DIR"
    case .notPermitted(let path):
      "this user may not write to \(path); change its permissions, or use another directory with --root DIR"
    case .noSpace(let path):
      "the file system of \(path), or this user's quota on it, is full; free some space and try again"
    case .reserveReached(let path, let free, let reserve):
      "\(free) bytes are free in \(path), but sessions must leave \(reserve) free; free some space, or reduce the reserve "
        + "with 'darkroom quota set --reserve SIZE' or with limits.freeReserve in the policy"
    case .unknownLayout(let path, let found, let known):
      "\(path) contains the layout '\(found.filter { $0 != "\n" })', but this version of Darkroom supports only layout "
        + "\(known); use the version that wrote it, or use another directory with --root DIR"
    case .invalidIdentifier(let text):
      "'\(text)' is not a valid ID; use letters, digits, dots, hyphens and underscores, such as org.example.camera"
    case .differentFileSystems(let one, let other):
      "\(one) and \(other) are on two file systems, but the migration renames files between them; "
        + "unmount the inner file system, or use another directory with --root DIR"
    case .damaged(let path, let fault):
      "\(path) is damaged: \(fault); inspect its directory, restore the file or move it away, and try again"
    case .contextDamaged(let app, let path, let fault):
      "\(path) is damaged: \(fault); correct it, or remove it with 'darkroom context clear \(app)'"
    case .permissionsDamaged(let app, let path, let fault):
      "\(path) is damaged: \(fault); all permissions are denied until the file is removed with "
        + "'darkroom permission reset \(app)'"
    case .invalidPermissionSetting(let mistake): "\(mistake)"
    case .tooManyAssets(let limit):
      "at most \(limit) assets can be selected for one app; select fewer assets, or authorize all photos"
    case .invalidAssetID(let text):
      "'\(text.map { $0.isASCII && !$0.isNewline ? String($0) : "?" }.joined())' is not an asset ID; "
        + "'darkroom photos list' lists the assets"
    case .tooManyDevices(let limit):
      "at most \(limit) devices can be selected for one resource; select fewer devices, or authorize all of them"
    case .invalidDeviceName(let text):
      "'\(text.map { $0.isASCII && !$0.isNewline ? String($0) : "?" }.joined())' is not a device name; "
        + "'darkroom camera list' and 'darkroom microphone list' list the devices"
    case .contextTooLarge(let bytes, let limit):
      "the app context has \(bytes) bytes of JSON, more than the limit of \(limit); store less (the previous context is "
        + "kept)"
    case .assets(let app, let directory, let fault):
      "\(directory) cannot be shared by \(app): \(fault) (the previously shared files are kept)"
    case .noSuchContent(let app, let session):
      "\(app) has no content of session \(session); 'darkroom content list \(app)' lists the sessions with content"
    case .noSuchQuarantine(let app, let session):
      "the quarantine of \(app) has nothing of session \(session); 'darkroom quarantine list \(app)' lists the sessions in "
        + "the quarantine"
    case .invalidConsumerName(let name):
      "'\(name.map { $0.isASCII && !$0.isNewline ? String($0) : "?" }.joined())' is not a valid name of a consumer; use "
        + "letters, digits, dots, hyphens and underscores, and begin with a letter or digit"
    case .consumerBusy(let app, let consumer):
      "another process watches the content of \(app) as \(consumer); stop that process, or choose another name"
    case .keyAlreadyBound(let other):
      "\(other.keyText) is already bound to \(other.control), and a key can have either a single or a double press; "
        + "run 'darkroom control unbind \(other.key)'"
    case .keyNotBound(let key, let bound):
      "\(key.filter { !$0.isNewline }) is not bound; "
        + (bound.isEmpty ? "no key is bound" : "bound keys: \(bound.joined(separator: ", "))")
    case .alreadyExists(let path):
      "\(path) already exists and is not replaced; move it, or use another path"
    case .contentDirectoryRemoved(let path):
      "\(path) was removed; start the watch again, unless the app was uninstalled"
    case .changedDuringWalk(let path):
      "another process changed \(path) while it was read; stop the process that writes there and try again"
    case .mountedInside(let path):
      "\(path) cannot be moved, because it is a mount point; unmount it (umount), and run 'darkroom recover'"
    case .immovable(let path):
      "\(path) cannot be moved, because of its inode flags; clear them as root (chattr -ia), and run 'darkroom recover'"
    case .stillRunning(let session, let processes):
      "session \(session) still has processes that do not exit: "
        + processes.map(String.init).joined(separator: ", ")
        + "; terminate them (kill -KILL), and run 'darkroom recover'"
    case .logDamaged(let path, let fault):
      "nothing is appended to \(path), because its last entry is invalid: \(fault); inspect the log with "
        + "'darkroom logs verify', keep it under another name (mv \(path) \(path).damaged), and run 'darkroom recover', "
        + "which starts a new log"
    case .invalidPath(let error): "\(error); use another directory with --root DIR"
    case .refused(let refusal): "\(refusal)"
    case .digest(let error): "\(error)"
    case .system(let error) where error.errno.isOutOfSpace:
      "\(error): \(error.errno.outOfSpaceDescription); free some space and try again"
    case .system(let error) where error.errno == .fileTooLarge:
      "\(error); raise the limit on the file size where the host is started (ulimit -f, or LimitFSIZE= of systemd)"
    case .system(let error): "\(error)"
    }
  }
}
