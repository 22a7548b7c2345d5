// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
internal import SessionStore

extension SessionMachine {
  /// The stage of a debugging session.
  enum DebuggerStage: Sendable, Equatable {
    /// The session was not launched for a debugger.
    case none
    /// The program has not reached the stop before its first instruction.
    case stopping
    /// The program is stopped there, and no debugger has attached.
    case waiting
    /// The process with this ID traces the program. The flag is whether the initial stop was lifted.
    case attached(Int32, isLifted: Bool)
    /// The program runs without a tracer.
    case detached
  }

  /// Whether all deadlines are suspended, because no debugger has attached yet or one is attached.
  ///
  /// A debugger cannot delay a termination that the host requires.
  package var areDeadlinesSuspended: Bool {
    switch debugger {
    case .none, .detached: false
    case .stopping, .waiting: true
    case .attached:
      if case .dismissed(let dismissal)? = cause { dismissal.by != .hostStopped } else { true }
    }
  }

  /// Whether no instruction of the program has run, so that it cannot receive messages.
  var isAwaitingDebugger: Bool { debugger == .stopping || debugger == .waiting }

  /// The process ID of the tracer, or `nil` if there is none.
  package var tracer: Int32? {
    if case .attached(let tracer, _) = debugger { tracer } else { nil }
  }

  /// Handles a tracing status of the extension.
  package mutating func debuggerStatusChanged(_ finding: DebuggerStatus, now: UInt64) -> [SessionAction] {
    guard phase != .killed else { return [] }
    switch (debugger, finding) {
    case (.stopping, .stopped):
      debugger = .waiting
      return [.notifyDebugger(.waiting)]
    case (.stopping, .exited):
      return end(.hostFailure(.init(step: "debug", errno: nil, sentence: Self.notVisible)))
    case (.stopping, .traced(let tracer)), (.waiting, .traced(let tracer)):
      return attached(tracer, isLifted: false) + beginDeferred()
    case (.waiting, .running):
      // The user has sent SIGCONT and wants no debugger.
      return debuggerDetached(now)
    case (.attached(let tracer, false), .traced(by: tracer)):
      // Attaching takes several steps that the signal would disturb, so it is not sent at the first status.
      // The stop must be lifted. Otherwise every new thread would be stopped too, and the program would stay
      // stopped when the debugger detaches.
      debugger = .attached(tracer, isLifted: true)
      return [.signal(.resume)]
    case (.attached(let before, let isLifted), .traced(let tracer)) where before != tracer:
      return attached(tracer, isLifted: isLifted)
    case (.attached(_, let isLifted), .stopped), (.attached(_, let isLifted), .running):
      return (isLifted ? [] : [.signal(.resume)]) + debuggerDetached(now)
    case (.detached, .traced(let tracer)): return attached(tracer, isLifted: true)
    default: return []
    }
  }

  private mutating func attached(_ tracer: Int32, isLifted: Bool) -> [SessionAction] {
    debugger = .attached(tracer, isLifted: isLifted)
    debugging = .attached
    return [.notifyDebugger(.attached(tracer))]
  }

  /// Handles the end of tracing. Every deadline restarts with its full time.
  private mutating func debuggerDetached(_ now: UInt64) -> [SessionAction] {
    debugger = .detached
    launched = now
    lastActivity = now
    if exitDeadline != nil { exitDeadline = now + Self.exitTimeout }
    if terminationTime != nil { terminationTime = now + terms.times.dismissalGrace / 2 }
    if case .dismissing = phase {
      phase = .dismissing(until: now + (isBeyondGrace ? terms.times.activityCap : terms.times.dismissalGrace))
    }
    watchdog?.restart(at: now)
    return [.notifyDebugger(.detached), .renewDeadlines] + beginDeferred()
  }

  /// Sends the start message that was deferred until a debugger attached.
  private mutating func beginDeferred() -> [SessionAction] {
    guard let start = deferredStart else { return [] }
    deferredStart = nil
    return begin(start)
  }

  private static let notVisible =
    "the process that waits for a debugger is not visible in /proc; mount /proc without hidepid, or run without a debugger"
}
