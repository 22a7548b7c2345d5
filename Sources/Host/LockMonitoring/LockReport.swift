// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// The report of a source about the lock state.
package struct LockReport: Hashable, Sendable {
  /// The reported state.
  package var state: LockState
  /// The reason for the state.
  package var reason: LockReason

  /// Creates a report.
  package init(_ state: LockState, _ reason: LockReason) {
    self.state = state
    self.reason = reason
  }
}

/// A reason why a source reports the screen as locked or unlocked.
///
/// All reasons except ``stated(path:_:)``, ``neverLocked`` and ``sessionUnlocked(_:)`` mean locked: an unknown
/// state counts as locked.
package enum LockReason: Hashable, Sendable {
  /// The file contains this state.
  case stated(path: String, LockState)
  /// `darkroom lock` was never used.
  case neverLocked
  /// The file does not exist.
  case absent(path: String)
  /// The file does not contain exactly one of the two states.
  case malformed(path: String)
  /// The path is not a regular file.
  case notRegular(path: String, FileStatus.Kind)
  /// The file does not belong to root or this user.
  case wrongOwner(path: String, owner: UInt32)
  /// Other users can write to the file.
  case writableByOthers(path: String)
  /// The file cannot be read.
  case unreadable(SystemCallError)
  /// Changes cannot be monitored.
  case notWatchable(SystemCallError)
  /// logind has not answered yet.
  case awaitingLogind
  /// The session is in the foreground and not locked.
  case sessionUnlocked(String)
  /// The session's `LockedHint` is set.
  case sessionLocked(String)
  /// logind has requested that the session is locked, and its locker has not reported a state since.
  case sessionBeingLocked(String)
  /// Another session is in the foreground.
  case sessionInBackground(String)
  /// A greeter or a lock screen is in the foreground.
  case greeter(String)
  /// The session belongs to another user.
  case sessionOfOtherUser(String, user: UInt32)
  /// logind does not know the session.
  case noSession(LogindSession)
  /// logind is not running.
  case logindUnavailable
  /// The system bus cannot be reached.
  case busUnavailable(Errno)
  /// libsystemd cannot be loaded.
  case busLibraryUnavailable
  /// logind replied with an error, whose name is the associated value.
  case logindRefused(String)
  /// The configuration is not valid.
  case configuration(LockConfigurationError)
}

extension LockReason: CustomStringConvertible {
  /// A sentence with the reason and, if possible, the fix.
  package var description: String {
    switch self {
    case .stated(let path, let state): "\(path) contains '\(state.rawValue)'"
    case .neverLocked: "'darkroom lock' was never run"
    case .absent(let path): "\(path) does not exist; the program that maintains it must create it"
    case .malformed(let path):
      "\(path) contains neither 'locked' nor 'unlocked'; write one of these words to a new file, and rename that "
        + "file to it"
    case .notRegular(let path, let kind): "\(path) is a \(kind.rawValue), not a regular file"
    case .wrongOwner(let path, let owner):
      "\(path) belongs to UID \(owner), not to root or this user"
    case .writableByOthers(let path): "other users can write to \(path); run 'chmod go-w \(path)'"
    case .unreadable(let error): "the lock file cannot be read: \(error); make it readable for this user"
    case .notWatchable(let error):
      "the lock file cannot be monitored: \(error); make its directory readable for this user"
    default: logindDescription
    }
  }

  /// The sentence for reasons of logind and of the configuration.
  private var logindDescription: String {
    switch self {
    case .awaitingLogind: "logind has not answered yet"
    case .sessionUnlocked(let id): "session \(id) is in the foreground and not locked"
    case .sessionLocked(let id): "the LockedHint of session \(id) is set"
    case .sessionBeingLocked(let id):
      "logind requested the lock of session \(id); its screen locker must set LockedHint"
    case .sessionInBackground(let id): "session \(id) is not in the foreground; switch to it"
    case .greeter(let id): "session \(id) in the foreground is a greeter or a lock screen; log in"
    case .sessionOfOtherUser(let id, let user): "session \(id) belongs to UID \(user)"
    case .noSession(let session): "logind has no \(session); 'loginctl' lists the sessions"
    case .logindUnavailable:
      "logind is not running; start systemd-logind, or choose another lock source"
    case .busUnavailable(let errno):
      "the system bus cannot be reached: \(errno); start it, or choose another lock source"
    case .busLibraryUnavailable:
      "libsystemd.so.0, which connects to logind, cannot be loaded; install libsystemd0, or choose another lock source"
    case .logindRefused(let name): "logind replied with \(name)"
    case .configuration(let error): "\(error)"
    default: ""
    }
  }
}

/// A source that reports whether the screen is locked. No call blocks.
protocol LockSource: AnyObject {
  /// The last report. It is locked until the state is known.
  var report: LockReport { get }
  /// A descriptor that is readable when ``refresh()`` should be called, or `nil` if the report never changes.
  var descriptor: Int32? { get }
  /// Processes the events of the descriptor.
  func refresh()
}

/// A source whose state cannot be determined, so it is always locked.
final class UnavailableLockSource: LockSource {
  let report: LockReport
  var descriptor: Int32? { nil }

  /// Creates a source with the reason of its report.
  init(_ reason: LockReason) { report = LockReport(.locked, reason) }

  func refresh() {}
}
