// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
internal import SessionStore

extension SessionMachine {
  /// How far a debugger is.
  enum DebuggerStage: Sendable, Equatable {
    /// The session was launched for none.
    case none
    /// The program is on its way to be stopped before its first instruction.
    case stopping
    /// It is stopped there, and nobody has attached.
    case waiting
    /// This process traces it. The stop in which it waited is lifted, or is not yet.
    case attached(Int32, isLifted: Bool)
    /// Nobody traces it, and it runs.
    case free
  }

  /// Whether no deadline runs: nobody has attached yet, or somebody is attached. That the host itself has to end the
  /// session nobody can put off.
  package var timeStandsStill: Bool {
    switch debugger {
    case .none, .free: false
    case .stopping, .waiting: true
    case .attached:
      if case .dismissed(let dismissal)? = cause { dismissal.by != .hostStopped } else { true }
    }
  }

  /// Whether not one instruction of the program has run, so that there is nobody to be told anything.
  var isUnbegun: Bool { debugger == .stopping || debugger == .waiting }

  /// Who traces the extension; nil: nobody.
  package var tracer: Int32? {
    if case .attached(let tracer, _) = debugger { tracer } else { nil }
  }

  /// Somebody has looked whether the extension is stopped, and who traces it.
  package mutating func debuggerSeen(_ finding: DebuggerFinding, now: UInt64) -> [SessionAction] {
    guard phase != .killed else { return [] }
    switch (debugger, finding) {
    case (.stopping, .stopped):
      debugger = .waiting
      return [.tell(.waiting)]
    case (.stopping, .gone): return end(.hostFailure(.init(step: "debug", errno: nil, sentence: Self.unseen)))
    case (.stopping, .traced(let tracer)), (.waiting, .traced(let tracer)):
      return attached(tracer, isLifted: false) + beginDeferred()
    case (.waiting, .running):
      // Somebody has sent SIGCONT, and wants no debugger.
      return free(now)
    case (.attached(let tracer, false), .traced(by: tracer)):
      // Attaching takes several steps, in which the signal would disturb: so not at the first look. The stop has to be
      // lifted, or every new thread would be stopped, too, and a debugger that leaves would leave it behind.
      debugger = .attached(tracer, isLifted: true)
      return [.signal(.resume)]
    case (.attached(let before, let isLifted), .traced(let tracer)) where before != tracer:
      return attached(tracer, isLifted: isLifted)
    case (.attached(_, let isLifted), .stopped), (.attached(_, let isLifted), .running):
      return (isLifted ? [] : [.signal(.resume)]) + free(now)
    case (.free, .traced(let tracer)): return attached(tracer, isLifted: true)
    default: return []
    }
  }

  private mutating func attached(_ tracer: Int32, isLifted: Bool) -> [SessionAction] {
    debugger = .attached(tracer, isLifted: isLifted)
    debugging = .attached
    return [.tell(.attached(tracer))]
  }

  /// Nobody is attached any more: every deadline has its full time again.
  private mutating func free(_ now: UInt64) -> [SessionAction] {
    debugger = .free
    launched = now
    lastSign = now
    if silentUntil != nil { silentUntil = now + Self.endingTime }
    if terminationTime != nil { terminationTime = now + terms.dismissalGrace / 2 }
    if case .dismissing = phase {
      phase = .dismissing(until: now + (isBeyondGrace ? terms.activityCap : terms.dismissalGrace))
    }
    watchdog?.restart(at: now)
    return [.tell(.left), .renewDeadlines] + beginDeferred()
  }

  /// Begins what was put off until there was somebody to debug it.
  private mutating func beginDeferred() -> [SessionAction] {
    guard let start = deferredStart else { return [] }
    deferredStart = nil
    return begin(start)
  }

  private static let unseen =
    "the process that waits for a debugger cannot be seen in /proc; mount it without hidepid, or run without --debug"
}
