// SPDX-License-Identifier: Apache-2.0

/// Where a session's commands come from.
package protocol SessionControl {
  /// Whether there is somebody who could adjust the camera.
  var hasPerson: Bool { get }
  /// A descriptor to watch, or nil.
  var descriptor: Int32? { get }
  /// When to ask again, in ``MonotonicClock`` nanoseconds, or nil.
  var nextMoment: UInt64? { get }
  /// Time begins for the commands: the extension listens.
  mutating func begin(at now: UInt64)
  /// The commands that are due.
  mutating func commands(at now: UInt64) -> [SessionCommand]
  /// Whether the extension hears presses from now on.
  mutating func listen(_ isHeard: Bool)
  /// Whether it wants to see how the session stands, whenever something has happened.
  var isWatching: Bool { get }
  /// The program has been started.
  mutating func launched(at now: UInt64)
  /// This is how the session stands.
  mutating func see(_ sight: SessionSight, at now: UInt64)
  /// The session is over, and nobody will be asked any more.
  func end()
}

extension SessionControl {
  /// There is.
  package var hasPerson: Bool { true }
  /// Nothing depends on it.
  package mutating func listen(_ isHeard: Bool) {}
  /// It does not.
  package var isWatching: Bool { false }
  /// Nothing depends on it.
  package mutating func launched(at now: UInt64) {}
  /// Nothing depends on it.
  package mutating func see(_ sight: SessionSight, at now: UInt64) {}
  /// Nothing depends on it.
  package func end() {}
}

/// Nobody does anything; the session ends by itself or by a signal.
package struct NoControl: SessionControl {
  /// A control without commands.
  package init() {}
  package var hasPerson: Bool { false }
  package var descriptor: Int32? { nil }
  package var nextMoment: UInt64? { nil }
  package mutating func begin(at now: UInt64) {}
  package mutating func commands(at now: UInt64) -> [SessionCommand] { [] }
}
