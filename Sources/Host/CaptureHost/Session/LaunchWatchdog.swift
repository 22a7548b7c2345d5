// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// Watches whether an extension becomes a camera soon after its launch: a value, like the machine that owns it.
///
/// It is one-shot: once all that it requires holds at the same time it never comes back.
package struct LaunchWatchdog: Sendable, Equatable {
  /// What it requires.
  package let required: Set<CaptureRequirement>
  /// When it was armed.
  private let armed: UInt64
  /// When its time began: when it was armed, or when a debugger last left.
  private var began: UInt64
  /// How long the extension has, in nanoseconds.
  private let time: UInt64
  /// What holds at the moment.
  private var held: Set<CaptureRequirement> = []
  /// When each thing held for the first time.
  private var first: [CaptureRequirement: UInt64] = [:]
  /// Since when time has stood still, because something else is in front of the session.
  private var pausedSince: UInt64?
  /// How long time has stood still before.
  private var paused: UInt64 = 0
  /// Whether the extension was told that half of its time is over.
  private var hasWarned = false

  /// Arms one.
  package init(required: Set<CaptureRequirement>, time: UInt64, armedAt now: UInt64) {
    self.required = required
    self.time = time
    armed = now
    began = now
  }

  /// What is missing at the moment, in the order of its declaration.
  package var missing: [CaptureRequirement] {
    CaptureRequirement.allCases.filter { required.contains($0) && !held.contains($0) }
  }

  /// When each thing came that was there at some time, in nanoseconds after the arming.
  package var arrivals: [CaptureRequirement: UInt64] { first.mapValues { $0 - armed } }

  /// When the time is over; nil while it stands still.
  private var deadline: UInt64? { pausedSince == nil ? began + time + paused : nil }

  /// When half of it is.
  private var halfTime: UInt64? { pausedSince == nil ? began + time / 2 + paused : nil }

  /// When to ask again.
  package var nextDeadline: UInt64? { hasWarned ? deadline : halfTime }

  /// How many seconds are left.
  package func secondsLeft(at now: UInt64) -> Double {
    let end = began + time + paused + (pausedSince.map { now - $0 } ?? 0)
    return Double(end > now ? (end - now) / 1_000_000 : 0) / 1000
  }

  /// What time, or a change, has brought.
  package enum Finding: Sendable, Equatable {
    /// Nothing to speak of.
    case nothing
    /// Something has come or gone, or half of the time is over.
    case changed
    /// All is there; the watchdog is done.
    case satisfied
    /// The time is over.
    case expired
  }

  /// Something holds from now on, or no longer.
  package mutating func set(_ requirement: CaptureRequirement, _ holds: Bool, at now: UInt64) -> Finding {
    guard required.contains(requirement), held.contains(requirement) != holds else { return .nothing }
    if holds {
      held.insert(requirement)
      first[requirement] = first[requirement] ?? now
    } else {
      held.remove(requirement)
    }
    return missing.isEmpty ? .satisfied : .changed
  }

  /// A time may have come.
  package mutating func timePassed(at now: UInt64) -> Finding {
    if let deadline, now >= deadline { return .expired }
    guard !hasWarned, let halfTime, now >= halfTime else { return .nothing }
    hasWarned = true
    return .changed
  }

  /// Something else is in front of the session, or no longer.
  package mutating func pause(_ isPaused: Bool, at now: UInt64) {
    switch (isPaused, pausedSince) {
    case (true, nil): pausedSince = now
    case (false, let since?):
      paused += now - since
      pausedSince = nil
    default: break
    }
  }
  /// All of its time begins anew, because the extension could not use what has passed.
  package mutating func restart(at now: UInt64) {
    began = now
    paused = 0
    hasWarned = false
    if pausedSince != nil { pausedSince = now }
  }
}
