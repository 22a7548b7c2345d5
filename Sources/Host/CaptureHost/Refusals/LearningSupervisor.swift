// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import PolicyLearning
internal import SandboxEnforcement
internal import SandboxLaunch
internal import SandboxPolicy
internal import Synchronization

/// Answers the system calls of a session in learning mode on a separate thread, and records them.
///
/// The thread exits with the last process of the session. The supervisor judges calls by their register
/// arguments, which cannot change while a call waits. It reads the program's memory only for the names of the
/// links that the host creates.
final class LearningSupervisor: Sendable {
  /// Readable once the thread has finished.
  private let ended: Descriptor
  /// Performs calls on behalf of the session.
  private let answers: HostAnswers
  /// Classifies a call by the policy.
  private let judge: CallClassifier
  /// The recorded calls. Only the thread writes them.
  private let ledger = Mutex(LearningLedger())
  /// The thread, until it is joined.
  private let thread = Mutex<PlainThread?>(nil)
  /// The time that the thread may take to finish after the session has exited, in nanoseconds.
  private static let exitTimeout: UInt64 = 1_000_000_000

  /// Creates a supervisor without starting its thread.
  private init(_ policy: ResolvedPolicy) throws(SystemCallError) {
    answers = HostAnswers(policy)
    judge = CallClassifier(policy, answered: Set(DenialErrno.exceptions.map(\.key)))
    ended = try EventCounter.make()
  }

  /// Starts the thread that answers the calls.
  static func start(
    _ listener: LearningListener,
    policy: ResolvedPolicy
  ) throws(SystemCallError) -> LearningSupervisor {
    let supervisor = try LearningSupervisor(policy)
    let thread = try PlainThread.start(name: "learning") {
      // If the listener fails, it is closed when the thread finishes, and waiting calls fail with ENOSYS.
      try? listener.serve(supervisor.answer)
      try? EventCounter.add(to: supervisor.ended)
    }
    supervisor.store(thread)
    return supervisor
  }

  /// Returns the recorded calls. Call this function when no process of the session is left.
  func finish() -> LearningLedger {
    let deadline = MonotonicClock.now + Self.exitTimeout
    let found = try? Poller.wait([(ended.rawValue, .readable)], until: deadline)
    if found?[0].isEmpty == false { takeThread()?.join() }
    return ledger.withLock { $0 }
  }

  /// Stores the thread until it is joined.
  private func store(_ started: consuming PlainThread) {
    var started = Optional(started)
    thread.withLock { $0 = started.take() }
  }

  /// Returns the thread to the first caller.
  private func takeThread() -> PlainThread? { thread.withLock { $0.take() } }

  /// Records a call and returns its answer.
  private func answer(_ call: RefusalListener.WaitingCall, _ listener: RefusalListener)
    -> LearningListener.Answer
  {
    if let performance = answers.perform(call, listener) { return .performed(performance) }
    // The other filter answers call numbers that are in no table, so this case is not reached.
    guard let learned = judge.classify(number: call.number, arguments: call.arguments) else {
      return .refuse(.notImplemented)
    }
    ledger.withLock { $0.record(learned) }
    switch learned.status {
    case .used, .needed: return .allow
    case .answered:
      let answer = DenialErrno.exceptions.first { $0.key == learned.call }?.value ?? .notImplemented
      return .refuse(answer.errno)
    // The kernel refuses these calls without notifying the host. This answer is a safeguard against a later
    // change.
    case .denied, .core: return .refuse(.notPermitted)
    }
  }
}
