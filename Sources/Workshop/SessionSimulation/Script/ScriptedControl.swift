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
  private let world: SimulatedWorld?
  /// Whether the session must be dismissed after the last step.
  private var owesDismissal: Bool
  private var next = 0
  /// The due time of the next step, or `nil` before the script starts.
  private var clock: UInt64?
  private var launchTime: UInt64 = 0
  /// The current assertion's start time and frame count, or `nil` if there is none.
  private var judging: (since: UInt64, frames: Int)?
  private var lastLook: UInt64 = 0
  private var sight: SessionSight?
  private var known: [ScriptFinding] = []

  /// Creates a control that executes a script once. `world` is the simulated environment that the script can
  /// change, or `nil` for a real one.
  package init(_ script: SessionScript, world: SimulatedWorld? = nil, ending: Ending = .open) {
    self.script = script
    self.world = world
    owesDismissal = ending == .dismissal
  }

  package var descriptor: Int32? { nil }

  package var isWatching: Bool { script.judges }

  private var step: SessionScript.Step? {
    script.steps.indices.contains(next) ? script.steps[next] : nil
  }

  package var nextMoment: UInt64? {
    // The record determines the remaining results.
    guard let clock, sight?.stage != .over else { return nil }
    guard let step else { return owesDismissal ? clock : nil }
    guard case .judge(let judgement) = step.deed, let judging else { return clock }
    return min(lastLook + Self.interval, judgement.deadline(since: judging.since) ?? .max)
  }

  package func launched(at now: UInt64) {
    launchTime = now
    if script.beginsAtLaunch { clock = now }
  }

  package func begin(at now: UInt64) {
    guard clock == nil else { return }
    clock = now
    passWaits()
  }

  package func commands(at now: UInt64) -> [SessionCommand] {
    var due: [SessionCommand] = []
    while let step, let clock, clock <= now {
      switch step.deed {
      case .wait: break
      case .command(let command):
        due.append(command)
        if command.endsSession { owesDismissal = false }
      case .change(let change):
        if let fault = world?.carryOut(change) { note(step, .failed(fault), now) }
      // The effects of the commands are visible only after they have been executed.
      case .judge: return due
      }
      next += 1
      passWaits()
    }
    if step == nil, owesDismissal, let clock, clock <= now {
      owesDismissal = false
      due.append(.dismiss)
    }
    return due
  }

  package func see(_ sight: SessionSight, at now: UInt64) {
    self.sight = sight
    lastLook = now
    guard sight.stage != .over else { return }
    while let step, let clock, clock <= now, case .judge(let judgement) = step.deed {
      let begun = judging ?? (now, sight.frames)
      judging = begun
      guard let verdict = judgement.verdict(on: sight, since: begun.since, from: begun.frames, at: now) else {
        return
      }
      judging = nil
      note(step, verdict, now)
      next += 1
      self.clock = now
      if verdict != .held, judgement.manner == .await { abandon(step.line) }
      passWaits()
    }
  }

  /// Advances the clock over the following wait steps.
  private func passWaits() {
    while case .wait(let time)? = step?.deed, let due = clock {
      clock = due + time
      next += 1
    }
  }

  /// Skips the remaining steps and dismisses the session.
  private func abandon(_ line: Int) {
    noteRest("line \(line) was waited for in vain")
    owesDismissal = true
  }

  private func note(_ step: SessionScript.Step, _ verdict: ScriptFinding.Verdict, _ now: UInt64? = nil) {
    let time = now.map { $0 - min($0, launchTime) }
    known.append(ScriptFinding(line: step.line, text: step.text, verdict: verdict, time: time))
  }

  /// Records each remaining line as not reached.
  private func noteRest(_ reason: String) {
    while let step {
      if !step.isWait, known.last?.line != step.line { note(step, .notReached(reason)) }
      next += 1
    }
  }

  /// Returns the results of all assertions and of all lines that were not reached. To be called when the
  /// session has ended.
  package func findings(_ record: SessionRecord) -> [ScriptFinding] {
    while let step {
      switch step.deed {
      case .wait: break
      case .judge(let judgement):
        note(step, judgement.verdict(on: record, sight, from: judging?.frames ?? sight?.frames ?? 0))
        judging = nil
      case .command, .change:
        if known.last?.line != step.line {
          note(step, .notReached("the session had ended: \(record.outcome)"))
        }
      }
      next += 1
    }
    return known
  }
}

extension SessionCommand {
  /// Whether the command ends the session.
  fileprivate var endsSession: Bool {
    switch self {
    case .dismiss, .power, .quit: true
    case .capture, .lock, .orientation, .cameraControl: false
    }
  }
}

extension SessionScript.Step {
  /// Whether the step only waits.
  fileprivate var isWait: Bool { if case .wait = deed { true } else { false } }
}
