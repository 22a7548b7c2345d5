// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The clock of a session's alarms, gestures and animations.
///
/// A test stops the clock and sets its time, so that a view shows the same at a time on a busy machine as on an idle one.
@MainActor
package final class SessionClock {
  /// The time at which the clock was stopped, or `nil` if it runs.
  private var stopTime: UInt64?

  /// The current time, in nanoseconds of ``MonotonicClock``.
  package var now: UInt64 { stopTime ?? MonotonicClock.now }

  /// Stops the clock at a time in nanoseconds, which is the current time until the next call.
  package func stop(at time: UInt64) { stopTime = time }
}
