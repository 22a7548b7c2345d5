// SPDX-License-Identifier: Apache-2.0

/// A source of the commands of a session.
package protocol SessionControl {
  /// Whether a user is present who can adjust the camera.
  var hasUser: Bool { get }
  /// The descriptor that becomes readable when commands may be due, or `nil` if there is none.
  var descriptor: Int32? { get }
  /// The time at which ``commands(at:)`` is called again, in ``MonotonicClock`` nanoseconds, or `nil`.
  var nextDeadline: UInt64? { get }
  /// Starts the clock of the commands: the extension accepts input from now on.
  mutating func begin(at now: UInt64)
  /// Returns the commands that are due.
  mutating func commands(at now: UInt64) -> [SessionCommand]
  /// Sets whether the extension receives presses of capture buttons.
  mutating func setReceivingPresses(_ isReceiving: Bool)
  /// Whether the control requires a snapshot of the session after each event.
  var wantsSnapshots: Bool { get }
  /// Called when the program has been started.
  mutating func launched(at now: UInt64)
  /// Called with a snapshot of the session after each event, if ``wantsSnapshots`` is `true`.
  mutating func observe(_ sight: SessionSnapshot, at now: UInt64)
  /// Called when the session has ended. No further method is called.
  func end()
}

extension SessionControl {
  /// Returns `true`.
  package var hasUser: Bool { true }
  /// Does nothing.
  package mutating func setReceivingPresses(_ isReceiving: Bool) {}
  /// Returns `false`.
  package var wantsSnapshots: Bool { false }
  /// Does nothing.
  package mutating func launched(at now: UInt64) {}
  /// Does nothing.
  package mutating func observe(_ sight: SessionSnapshot, at now: UInt64) {}
  /// Does nothing.
  package func end() {}
}

/// A control without commands, for a session that exits by itself or by a signal.
package struct NoControl: SessionControl {
  /// Creates a control without commands.
  package init() {}
  package var hasUser: Bool { false }
  package var descriptor: Int32? { nil }
  package var nextDeadline: UInt64? { nil }
  package mutating func begin(at now: UInt64) {}
  package mutating func commands(at now: UInt64) -> [SessionCommand] { [] }
}
