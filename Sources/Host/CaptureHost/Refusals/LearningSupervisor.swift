// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import PolicyLearning
internal import SandboxEnforcement
internal import SandboxLaunch
internal import SandboxPolicy
internal import Synchronization

/// Answers the calls of one session that is learned from, on a thread of its own, and notes them.
///
/// The thread ends with the last process of the session. What a policy compares is in registers, which nobody can
/// change while the call waits; of the program's memory only the names of links are read that the host creates.
final class LearningSupervisor: Sendable {
  /// Readable once the thread has ended.
  private let ended: Descriptor
  /// What the host does in the place of the session.
  private let answers: HostAnswers
  /// Says what the policy has to do with a call.
  private let judge: CallJudge
  /// What was noted; written by the thread.
  private let ledger = Mutex(LearningLedger())
  /// The thread, until somebody has waited for its end.
  private let thread = Mutex<PlainThread?>(nil)
  /// How long the thread may take to end after the session, in nanoseconds.
  private static let patience: UInt64 = 1_000_000_000

  /// Prepares to answer.
  private init(_ policy: ResolvedPolicy) throws(SystemCallError) {
    answers = HostAnswers(policy)
    judge = CallJudge(policy, answered: Set(DenialAnswer.special.map(\.key)))
    ended = try EventCounter.make()
  }

  /// Begins to answer.
  static func start(
    _ listener: LearningListener,
    policy: ResolvedPolicy
  ) throws(SystemCallError) -> LearningSupervisor {
    let supervisor = try LearningSupervisor(policy)
    let thread = try PlainThread.start(name: "learning") {
      // If the listener fails, it is closed with the thread's end, and what waits fails with ENOSYS.
      try? listener.serve(supervisor.answer)
      try? EventCounter.add(to: supervisor.ended)
    }
    supervisor.keep(thread)
    return supervisor
  }

  /// What there was; call it when no process of the session is left.
  func finish() -> LearningLedger {
    let deadline = MonotonicClock.now + Self.patience
    let found = try? Poller.wait([(ended.rawValue, .readable)], until: deadline)
    if found?[0].isEmpty == false { takeThread()?.join() }
    return ledger.withLock { $0 }
  }

  /// Keeps the thread until its end.
  private func keep(_ started: consuming PlainThread) {
    var started = Optional(started)
    thread.withLock { $0 = started.take() }
  }

  /// Gives the thread away, once.
  private func takeThread() -> PlainThread? { thread.withLock { $0.take() } }

  /// Notes a call and decides what becomes of it.
  private func answer(_ call: RefusalListener.WaitingCall, _ listener: RefusalListener)
    -> LearningListener.Answer
  {
    if let performance = answers.perform(call, listener) { return .performed(performance) }
    // The other filter answers numbers that no table has; none comes here.
    guard let learned = judge.judge(number: call.number, arguments: call.arguments) else {
      return .refuse(.notImplemented)
    }
    ledger.withLock { $0.note(learned) }
    switch learned.standing {
    case .used, .needed: return .letThrough
    case .answered:
      let answer = DenialAnswer.special.first { $0.key == learned.call }?.value ?? .notImplemented
      return .refuse(answer.errno)
    // The kernel refuses the core by itself; this answer is for the day on which somebody breaks that.
    case .denied, .core: return .refuse(.notPermitted)
    }
  }
}
