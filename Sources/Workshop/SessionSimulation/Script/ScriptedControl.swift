// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
package import SessionStore

/// A session control that executes a script and collects the results of its lines.
///
/// Only the thread that drives the session uses it. The creator calls ``findings(_:)`` after the end of the
/// session.
package final class ScriptedControl: SessionControl {
  /// The behavior after the last step.
  package enum Ending: Sendable {
    /// The session continues.
    case open
    /// The session is dismissed, unless a step has ended it.
    case dismissal
  }

  /// The polling interval for conditions that cause no event, in nanoseconds.
  private static let interval: UInt64 = 5_000_000

  private let script: SessionScript
  private let world: SimulatedEnvironment?
  /// Whether the session must be dismissed after the last step.
  private var needsDismissal: Bool
  private var next = 0
  /// The due time of the next step, or `nil` before the script starts.
  private var clock: UInt64?
  private var launchTime: UInt64 = 0
  /// The current assertion's start time and frame count, or `nil` if there is none.
  private var pendingAssertion: (since: UInt64, frames: Int)?
  private var lastSnapshotTime: UInt64 = 0
  private var sight: SessionSnapshot?
  private var results: [ScriptResult] = []

  /// Creates a control that executes a script once. `world` is the simulated environment that the script can
  /// change, or `nil` for a real one.
  package init(_ script: SessionScript, world: SimulatedEnvironment? = nil, ending: Ending = .open) {
    self.script = script
    self.world = world
    needsDismissal = ending == .dismissal
  }

  package var descriptor: Int32? { nil }

  package var wantsSnapshots: Bool { script.hasAssertions }

  private var step: SessionScript.Step? {
    script.steps.indices.contains(next) ? script.steps[next] : nil
  }

  package var nextDeadline: UInt64? {
    // The record determines the remaining results.
    guard let clock, sight?.stage != .exited else { return nil }
    guard let step else { return needsDismissal ? clock : nil }
    guard case .assert(let assertion) = step.action, let pendingAssertion else { return clock }
    return min(lastSnapshotTime + Self.interval, assertion.deadline(since: pendingAssertion.since) ?? .max)
  }

  package func launched(at now: UInt64) {
    launchTime = now
    if script.startsAtLaunch { clock = now }
  }

  package func begin(at now: UInt64) {
    guard clock == nil else { return }
    clock = now
    passWaits()
  }

  package func commands(at now: UInt64) -> [SessionCommand] {
    var due: [SessionCommand] = []
    while let step, let clock, clock <= now {
      switch step.action {
      case .wait: break
      case .command(let command):
        due.append(command)
        if command.endsSession { needsDismissal = false }
      case .change(let change):
        if let fault = world?.apply(change) { note(step, .failed(fault), now) }
      // The effects of the commands are visible only after they have been executed.
      case .assert: return due
      }
      next += 1
      passWaits()
    }
    if step == nil, needsDismissal, let clock, clock <= now {
      needsDismissal = false
      due.append(.dismiss)
    }
    return due
  }

  package func observe(_ sight: SessionSnapshot, at now: UInt64) {
    self.sight = sight
    lastSnapshotTime = now
    guard sight.stage != .exited else { return }
    while let step, let clock, clock <= now, case .assert(let assertion) = step.action {
      let begun = pendingAssertion ?? (now, sight.frames)
      pendingAssertion = begun
      guard let verdict = assertion.verdict(on: sight, since: begun.since, from: begun.frames, at: now) else {
        return
      }
      pendingAssertion = nil
      note(step, verdict, now)
      next += 1
      self.clock = now
      if verdict != .passed, assertion.kind == .await { abandon(step.line) }
      passWaits()
    }
  }

  /// Advances the clock over the following wait steps.
  private func passWaits() {
    while case .wait(let time)? = step?.action, let due = clock {
      clock = due + time
      next += 1
    }
  }

  /// Skips the remaining steps and dismisses the session.
  private func abandon(_ line: Int) {
    noteRemaining("the condition of line \(line) was not met in time")
    needsDismissal = true
  }

  private func note(_ step: SessionScript.Step, _ verdict: ScriptResult.Verdict, _ now: UInt64? = nil) {
    let time = now.map { $0 - min($0, launchTime) }
    results.append(ScriptResult(line: step.line, text: step.text, verdict: verdict, time: time))
  }

  /// Records each remaining line as not reached.
  private func noteRemaining(_ reason: String) {
    while let step {
      if !step.isWait, results.last?.line != step.line { note(step, .notReached(reason)) }
      next += 1
    }
  }

  /// Returns the results of all assertions and of all lines that were not reached. To be called when the
  /// session has ended.
  package func findings(_ record: SessionRecord) -> [ScriptResult] {
    while let step {
      switch step.action {
      case .wait: break
      case .assert(let assertion):
        note(step, assertion.verdict(on: record, sight, from: pendingAssertion?.frames ?? sight?.frames ?? 0))
        pendingAssertion = nil
      case .command, .change:
        if results.last?.line != step.line {
          note(step, .notReached("the session had ended: \(record.outcome)"))
        }
      }
      next += 1
    }
    return results
  }
}

extension SessionCommand {
  /// Whether the command ends the session.
  fileprivate var endsSession: Bool {
    switch self {
    case .dismiss, .power, .quit: true
    case .capture, .pointer, .lock, .orientation, .cameraControl: false
    }
  }
}

extension SessionScript.Step {
  /// Whether the step only waits.
  fileprivate var isWait: Bool { if case .wait = action { true } else { false } }
}
