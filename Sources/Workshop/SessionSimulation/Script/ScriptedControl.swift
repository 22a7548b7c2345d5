// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
package import SessionStore

/// Plays a script, and keeps what has come of what it expects.
///
/// It belongs to the thread that drives the session; whoever has made it asks for ``findings(_:)`` afterwards.
package final class ScriptedControl: SessionControl {
  /// What follows the last step.
  package enum Ending: Sendable {
    /// The session goes on.
    case open
    /// The session is dismissed, if no step has ended it.
    case dismissal
  }

  /// How often the session is looked at while something is expected that announces itself to nobody, in nanoseconds.
  private static let interval: UInt64 = 5_000_000

  private let script: SessionScript
  private let world: SimulatedWorld?
  /// Whether the session is still to be dismissed when nothing is left to do.
  private var owesDismissal: Bool
  private var next = 0
  /// When the next step is due; nil: time has not begun.
  private var clock: UInt64?
  private var launchTime: UInt64 = 0
  /// What is being expected; nil: nothing.
  private var judging: (since: UInt64, frames: Int)?
  private var lastLook: UInt64 = 0
  private var sight: SessionSight?
  private var known: [ScriptFinding] = []

  /// Plays this script once; `world` is what it can change, if the surroundings are made up.
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
    // What is left then is found out from the record.
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
      // What was just done is seen only when it has happened.
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

  /// Lets the time of the next steps pass that do nothing else.
  private func passWaits() {
    while case .wait(let time)? = step?.deed, let due = clock {
      clock = due + time
      next += 1
    }
  }

  /// Gives up: what was to follow is not done, and the session is dismissed.
  private func abandon(_ line: Int) {
    noteRest("line \(line) was waited for in vain")
    owesDismissal = true
  }

  private func note(_ step: SessionScript.Step, _ verdict: ScriptFinding.Verdict, _ now: UInt64? = nil) {
    let time = now.map { $0 - min($0, launchTime) }
    known.append(ScriptFinding(line: step.line, text: step.text, verdict: verdict, time: time))
  }

  /// Notes of each line that is left that it was not reached.
  private func noteRest(_ reason: String) {
    while let step {
      if !step.isWait, known.last?.line != step.line { note(step, .notReached(reason)) }
      next += 1
    }
  }

  /// What has come of each line that expects something, and of those that were not reached, when the session has ended.
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
  /// Whether it tells the session to end.
  fileprivate var endsSession: Bool {
    switch self {
    case .dismiss, .power, .quit: true
    case .capture, .lock, .orientation, .cameraControl: false
    }
  }
}

extension SessionScript.Step {
  /// Whether it only lets time pass.
  fileprivate var isWait: Bool { if case .wait = deed { true } else { false } }
}
