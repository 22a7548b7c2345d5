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
      "there is no place for Darkroom's state: set HOME, XDG_STATE_HOME or DARKROOM_ROOT, or give --root DIR"
    case .notADirectory(let path):
      "\(path) or something above it is not a directory; remove it, or give another place with --root DIR"
    case .foreignOwner(let path, let owner, let user):
      "\(path) belongs to user \(owner), not to user \(user); run as its owner, or give another place with --root DIR"
    case .writableByOthers(let path, let permissions):
      "others may write to \(path) (mode \(String(permissions, radix: 8))); run: chmod go-w \(path)"
    case .readOnlyFileSystem(let path):
      "\(path) is on a file system that is mounted read-only; give another place with --root DIR"
    case .notPermitted(let path):
      "this user may not write to \(path); change its permissions, or give another place with --root DIR"
    case .noSpace(let path):
      "the file system of \(path) is full, or what this user may take of it; free some space and try again"
    case .reserveReached(let path, let free, let reserve):
      "\(free) bytes are free in \(path), of which no session takes the last \(reserve): free some space, or keep less "
        + "free with 'darkroom quota set --reserve SIZE', or by limits.freeReserve where the policy says so"
    case .unknownLayout(let path, let found, let known):
      "\(path) holds \"\(found.filter { $0 != "\n" })\", but this version of Darkroom knows layout \(known); "
        + "use the version that wrote it, or give another place with --root DIR"
    case .invalidIdentifier(let text):
      "\"\(text)\" is not an id: write it like org.example.camera, with letters, digits, dots, dashes, underscores"
    case .differentFileSystems(let one, let other):
      "\(one) and \(other) are on two file systems, but what a session leaves is renamed from one to the other; "
        + "mount nothing there, or give another place with --root DIR"
    case .damaged(let path, let fault):
      "\(path) is damaged: \(fault); look at what is beside it, restore the file or move it away, and try again"
    case .contextDamaged(let app, let path, let fault):
      "\(path) is damaged: \(fault); correct it, or remove it with: darkroom context clear \(app)"
    case .permissionsDamaged(let app, let path, let fault):
      "\(path) is damaged: \(fault); nothing is allowed until it is removed with: darkroom permission reset \(app)"
    case .invalidPermissionSetting(let mistake): "\(mistake)"
    case .tooManyAssets(let limit):
      "at most \(limit) assets can be selected for one app; select fewer, or authorize photos altogether"
    case .invalidAssetID(let text):
      "\"\(text.map { $0.isASCII && !$0.isNewline ? String($0) : "?" }.joined())\" is no id of an asset; "
        + "`darkroom photos` names them"
    case .tooManyDevices(let limit):
      "at most \(limit) devices can be selected for one resource; select fewer, or authorize it altogether"
    case .invalidDeviceName(let text):
      "\"\(text.map { $0.isASCII && !$0.isNewline ? String($0) : "?" }.joined())\" is no name of a device; "
        + "`darkroom camera list` and `darkroom microphone list` name them"
    case .contextTooLarge(let bytes, let limit):
      "the app context would take \(bytes) bytes of JSON, the limit is \(limit); the old one stays"
    case .assets(let app, let directory, let fault):
      "\(directory) cannot be shared by \(app): \(fault); what was shared before stays"
    case .noSuchContent(let app, let session):
      "\(app) has no content of session \(session); `darkroom content list \(app)` lists the sessions with content"
    case .noSuchQuarantine(let app, let session):
      "nothing of session \(session) is in the quarantine of \(app); `darkroom quarantine list \(app)` names what is"
    case .invalidConsumerName(let name):
      "\"\(name.map { $0.isASCII && !$0.isNewline ? String($0) : "?" }.joined())\" is no name of a consumer: use "
        + "letters, digits, dots, dashes and underscores, and begin with a letter or digit"
    case .consumerBusy(let app, let consumer):
      "another process watches the content of \(app) as \(consumer); end it, or choose another name"
    case .keyAlreadyBound(let other):
      "\(other.keyText) presses \(other.control) already, and one key cannot be pressed both once and twice; "
        + "run: darkroom control unbind \(other.key)"
    case .keyNotBound(let key, let bound):
      "\(key.filter { !$0.isNewline }) is not bound; "
        + (bound.isEmpty ? "no key is" : "these are: \(bound.joined(separator: ", "))")
    case .alreadyExists(let path):
      "\(path) is there already and is not replaced; move it, or choose another place"
    case .contentDirectoryRemoved(let path):
      "\(path) was removed; if the app is uninstalled there is nothing more to watch, else begin again"
    case .changedDuringWalk(let path):
      "\(path) was changed by somebody while it was looked at; end what writes there and try again"
    case .mountedInside(let path):
      "something is mounted at \(path), so it cannot be moved away; unmount it (umount), and run: darkroom recover"
    case .immovable(let path):
      "\(path) cannot be moved away, its flags forbid it; clear them as root (chattr -ia), and run: darkroom recover"
    case .stillRunning(let session, let processes):
      "session \(session) still has processes, and they do not end: "
        + processes.map(String.init).joined(separator: ", ")
        + "; end them (kill -KILL), and run: darkroom recover"
    case .logDamaged(let path, let fault):
      "the last entry of \(path) is not as it was written: \(fault); nothing is appended to it; look at it with "
        + "'darkroom log verify', keep it under another name (mv \(path) \(path).damaged), and run 'darkroom recover', "
        + "which begins a new one"
    case .invalidPath(let error): "\(error); give another place with --root DIR"
    case .refused(let refusal): "\(refusal)"
    case .digest(let error): "\(error)"
    case .system(let error) where error.errno.isOutOfSpace:
      "\(error); \(error.errno.outOfSpaceDescription): free some space and try again"
    case .system(let error) where error.errno == .fileTooLarge:
      "\(error); raise the limit on the size of a file where the host is started (ulimit -f, or systemd's LimitFSIZE=)"
    case .system(let error): "\(error)"
    }
  }
}
