// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// Checks that an extension behaves as a camera soon after its launch.
///
/// The watchdog fires at most once. It is disarmed for good as soon as all requirements hold at the same
/// time.
package struct LaunchWatchdog: Sendable, Equatable {
  /// The requirements.
  package let required: Set<CaptureRequirement>
  /// The time at which the watchdog was armed.
  private let armed: UInt64
  /// The start of the current period: the arming, or the time at which a debugger last detached.
  private var started: UInt64
  /// The time that the extension has, in nanoseconds.
  private let duration: UInt64
  /// The requirements that currently hold.
  private var fulfilled: Set<CaptureRequirement> = []
  /// The time at which each requirement held first.
  private var first: [CaptureRequirement: UInt64] = [:]
  /// The start of the current pause, while the session is not in the foreground.
  private var pausedSince: UInt64?
  /// The total of the earlier pauses, in nanoseconds.
  private var paused: UInt64 = 0
  /// Whether the extension was notified that half of the time has passed.
  private var hasWarned = false

  /// Creates an armed watchdog.
  package init(required: Set<CaptureRequirement>, time: UInt64, armedAt now: UInt64) {
    self.required = required
    self.duration = time
    armed = now
    started = now
  }

  /// The requirements that do not hold, in the order of their declaration.
  package var missing: [CaptureRequirement] {
    CaptureRequirement.allCases.filter { required.contains($0) && !fulfilled.contains($0) }
  }

  /// The time at which each requirement held first, in nanoseconds after the arming.
  package var arrivals: [CaptureRequirement: UInt64] { first.mapValues { $0 - armed } }

  /// The time at which the watchdog fires, or `nil` during a pause.
  private var deadline: UInt64? { pausedSince == nil ? started + duration + paused : nil }

  /// The time at which half of the period has passed, or `nil` during a pause.
  private var halfTime: UInt64? { pausedSince == nil ? started + duration / 2 + paused : nil }

  /// The time at which ``timePassed(at:)`` is to be called.
  package var nextDeadline: UInt64? { hasWarned ? deadline : halfTime }

  /// Returns the remaining seconds.
  package func secondsLeft(at now: UInt64) -> Double {
    let end = started + duration + paused + (pausedSince.map { now - $0 } ?? 0)
    return Double(end > now ? (end - now) / 1_000_000 : 0) / 1000
  }

  /// The result of an event.
  package enum Finding: Sendable, Equatable {
    /// Nothing changed.
    case nothing
    /// A requirement changed, or half of the time has passed.
    case changed
    /// All requirements hold, and the watchdog is disarmed.
    case satisfied
    /// The time has expired.
    case expired
  }

  /// Sets whether a requirement holds.
  package mutating func set(_ requirement: CaptureRequirement, _ holds: Bool, at now: UInt64) -> Finding {
    guard required.contains(requirement), fulfilled.contains(requirement) != holds else { return .nothing }
    if holds {
      fulfilled.insert(requirement)
      first[requirement] = first[requirement] ?? now
    } else {
      fulfilled.remove(requirement)
    }
    return missing.isEmpty ? .satisfied : .changed
  }

  /// Checks the deadlines.
  package mutating func timePassed(at now: UInt64) -> Finding {
    if let deadline, now >= deadline { return .expired }
    guard !hasWarned, let halfTime, now >= halfTime else { return .nothing }
    hasWarned = true
    return .changed
  }

  /// Pauses the watchdog while the session is not in the foreground, or resumes it.
  package mutating func pause(_ isPaused: Bool, at now: UInt64) {
    switch (isPaused, pausedSince) {
    case (true, nil): pausedSince = now
    case (false, let since?):
      paused += now - since
      pausedSince = nil
    default: break
    }
  }
  /// Restarts the full period, because the extension could not use the time that has passed.
  package mutating func restart(at now: UInt64) {
    started = now
    paused = 0
    hasWarned = false
    if pausedSince != nil { pausedSince = now }
  }
}
