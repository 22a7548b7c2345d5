// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// What one source says of the lock, and why.
package struct LockReport: Hashable, Sendable {
  /// Locked or not.
  package var state: LockState
  /// Why it says so.
  package var reason: LockReason

  /// Makes a report.
  package init(_ state: LockState, _ reason: LockReason) {
    self.state = state
    self.reason = reason
  }
}

/// Why a source says that the person is locked out, or not.
///
/// All but ``said(path:_:)``, ``neverLocked`` and ``sessionUnlocked(_:)`` mean locked: what cannot be known is locked.
package enum LockReason: Hashable, Sendable {
  /// A file says it in its only word.
  case said(path: String, LockState)
  /// `darkroom lock` was never given.
  case neverLocked
  /// There is no such file.
  case absent(path: String)
  /// The file holds something else than one of the two words.
  case meaningless(path: String)
  /// It is no regular file.
  case notRegular(path: String, FileStatus.Kind)
  /// The file, which must be root's or this user's, is somebody else's.
  case foreign(path: String, owner: UInt32)
  /// Others may write to the file.
  case writableByOthers(path: String)
  /// The file cannot be read.
  case unreadable(SystemCallError)
  /// Nobody would tell of a change.
  case notWatchable(SystemCallError)
  /// logind has not answered yet.
  case awaitingLogind
  /// The session is in front and not locked.
  case sessionUnlocked(String)
  /// The session's `LockedHint` is set.
  case sessionLocked(String)
  /// logind has asked for the session to be locked, and its locker has not said anything since.
  case sessionBeingLocked(String)
  /// Another session is in front.
  case sessionInBackground(String)
  /// A greeter or a lock screen is in front.
  case greeter(String)
  /// The session is somebody else's.
  case sessionOfAnother(String, user: UInt32)
  /// logind knows no such session.
  case noSession(LogindSession)
  /// logind has ended, or was never there.
  case logindGone
  /// The system bus cannot be reached.
  case busGone(Errno)
  /// What speaks with the system bus cannot be loaded.
  case noBusLibrary
  /// logind has refused an answer; the name of the error.
  case logindRefused(String)
  /// The configuration cannot be understood.
  case configuration(LockConfigurationError)
}

extension LockReason: CustomStringConvertible {
  /// What is so, where, and how to mend it where it can be mended.
  package var description: String {
    switch self {
    case .said(let path, let state): "\(path) says \(state.rawValue)"
    case .neverLocked: "`darkroom lock` was never given"
    case .absent(let path): "\(path) is not there; the program that maintains it must write it"
    case .meaningless(let path):
      "\(path) holds neither the word locked nor unlocked; write one of them to a new file and rename that to it"
    case .notRegular(let path, let kind): "\(path) is a \(kind.rawValue); it must be a regular file"
    case .foreign(let path, let owner): "\(path) belongs to user \(owner); it must be root's or this user's"
    case .writableByOthers(let path): "others may write to \(path); run: chmod go-w \(path)"
    case .unreadable(let error): "the lock's file cannot be read: \(error); make it readable for this user"
    case .notWatchable(let error):
      "changes of the lock's file cannot be seen: \(error); make its directory readable for this user"
    default: logindDescription
    }
  }

  /// The part that is about logind and the configuration.
  private var logindDescription: String {
    switch self {
    case .awaitingLogind: "logind has not answered yet"
    case .sessionUnlocked(let id): "session \(id) is in front and not locked"
    case .sessionLocked(let id): "session \(id) has its LockedHint set"
    case .sessionBeingLocked(let id): "session \(id) was asked to lock; its locker has to set LockedHint"
    case .sessionInBackground(let id): "session \(id) is not in front; switch to it"
    case .greeter(let id): "session \(id), which is in front, is a greeter's or a lock screen's; log in"
    case .sessionOfAnother(let id, let user): "session \(id) belongs to user \(user)"
    case .noSession(let session): "logind knows no \(session); `loginctl` lists what it knows"
    case .logindGone: "logind is not running; start systemd-logind, or choose another source of the lock"
    case .busGone(let errno): "the system bus cannot be reached: \(errno); start it, or choose another source"
    case .noBusLibrary:
      "libsystemd.so.0 cannot be loaded, which speaks with logind; install libsystemd0, or choose another source"
    case .logindRefused(let name): "logind answers \(name)"
    case .configuration(let error): "\(error)"
    default: ""
    }
  }
}
