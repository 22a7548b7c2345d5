// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
internal import PolicyExplanation
internal import Viewfinders

/// An error of the lock screen.
package enum ScreenLockError: Error, CustomStringConvertible {
  /// The state of the screens after an error.
  package enum State: Sendable, Hashable {
    /// The screens were not locked.
    case unlocked
    /// The screens are locked, and no lock screen is shown.
    case dark
  }

  /// The user could not unlock the screens again, for this reason.
  case noAuthentication(String)
  /// The compositor does not lock its screens, for this reason.
  case refused(String, State)
  /// The lock-screen program cannot be started.
  case program(SystemCallError, State)
  /// The lock-screen program did not report whether it locked the screens. The string describes its exit.
  case noReply(String)
  /// A system call failed.
  case system(SystemCallError, State)
  /// The lock state cannot be written. The string is the path of its directory.
  case lockNotWritten(any Error, directory: String)
  /// The compositor did not unlock the screens.
  case notUnlocked
  /// The lock-screen program exited too often. The string describes its last exit.
  case exitedRepeatedly(String)
  /// The host received a signal to stop. The screens stay locked.
  case stopped

  /// The error message.
  package var description: String {
    switch self {
    case .noAuthentication(let obstacle):
      "nothing was locked, because the user could not unlock the screens again: \(obstacle)"
    case .refused(let reason, let state):
      "\(Self.text(state)): \(TextTable.printable(reason)); use a compositor with ext-session-lock-v1, such as "
        + "sway 1.8 or later, and close other screen lockers"
    case .program(let error, let state):
      "\(Self.text(state)): \(error); check that \(WindowViewfinder.program) is in the directory of darkroom"
    case .noReply(let how): "the state of the screen lock is unknown: \(how)"
    case .system(let error, .unlocked): "\(error)"
    case .system(let error, .dark): "\(error); the screens stay locked"
    case .lockNotWritten(let error, let directory):
      "locking failed: \(error); check the permissions of \(directory)"
    case .notUnlocked: "the lock is open, but the compositor did not unlock the screens"
    case .exitedRepeatedly(let how): "the lock screen cannot be shown: \(how); the screens stay locked"
    case .stopped: "stopped; the screens stay locked"
    }
  }

  private static func text(_ state: State) -> String {
    switch state {
    case .unlocked: "nothing was locked"
    case .dark: "the screens stay locked and blank"
    }
  }
}
