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
}

extension SessionControl {
  /// There is.
  package var hasPerson: Bool { true }
  /// Nothing depends on it.
  package mutating func listen(_ isHeard: Bool) {}
}

/// Plays a script.
package struct ScriptedControl: SessionControl {
  private let script: SessionScript
  private var next = 0
  private var origin: UInt64?

  /// Plays this script once.
  package init(_ script: SessionScript) { self.script = script }

  package var descriptor: Int32? { nil }

  package var nextMoment: UInt64? {
    guard let origin, script.moments.indices.contains(next) else { return nil }
    return origin + script.moments[next].time
  }

  package mutating func begin(at now: UInt64) { origin = origin ?? now }

  package mutating func commands(at now: UInt64) -> [SessionCommand] {
    var due: [SessionCommand] = []
    while let moment = nextMoment, moment <= now {
      due.append(script.moments[next].command)
      next += 1
    }
    return due
  }
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
