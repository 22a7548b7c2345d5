// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LinuxPrimitives
internal import Synchronization
package import Testing

/// Has tests run that wait for processes on threads of their own.
///
/// Tests run on the pool of tasks, which has a thread for each processor. One that waits for a process keeps its thread, and
/// on two processors two of them keep all others from running while the machine has nothing to do.
package struct WaitingTrait: SuiteTrait, TestTrait, TestScoping {
  fileprivate let threads: any TaskExecutor

  /// It holds for every test of a suite.
  package var isRecursive: Bool { true }

  /// Runs a test on one of the threads.
  package func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(threads) { try await function() }
  }
}

extension Trait where Self == WaitingTrait {
  /// The test waits for other processes most of the time.
  package static var waiting: WaitingTrait { WaitingTrait(threads: WaitingThreads.shared) }

  /// The test waits for other processes most of the time, and takes so long that it starts before all other tests that wait: as the
  /// last one, it would leave processors idle.
  package static var waitingFirst: WaitingTrait { WaitingTrait(threads: FrontOfLine()) }

  /// The test waits for other processes most of the time, and is one of a suite in which one comes after the other: each of
  /// them would wait for a thread again, and the last one for all other tests.
  package static var waitingInTurn: WaitingTrait { WaitingTrait(threads: WaitingThreads.inTurn) }
}

/// Threads that run one job after the other.
private final class WaitingThreads: TaskExecutor {
  /// Twice as many as there are processors; and as many again that help while those sleep and the processors are idle.
  static let shared = WaitingThreads(
    2 * max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))),
    helpers: 2 * max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  )
  /// Threads for suites that run one test at a time. There is one for each of the four longest suites, which would end long after all
  /// others if they had to wait for each other.
  static let inTurn = WaitingThreads(4, helpers: 0)

  /// How often helpers look, in milliseconds.
  private static let pause = 500
  /// The share of the processors' time that is left over where another test is begun.
  private static let leftOver = 0.1

  /// What waits for a thread, in the order in which it came.
  private let jobs = Mutex<[UnownedJob]>([])
  /// How much of it there is. Every thread may use it (sem_overview(7)).
  private nonisolated(unsafe) let count: UnsafeMutablePointer<sem_t>

  /// What the processors did when a helper has looked last.
  private let processors = Mutex<ProcessorTime?>(nil)

  private init(_ threads: Int, helpers: Int) {
    count = .allocate(capacity: 1)
    sem_init(count, 0, 0)
    for _ in 0..<threads { Self.start { [unowned self] in self.work() } }
    for _ in 0..<helpers { Self.start { [unowned self] in self.help() } }
  }

  private static func start(_ body: @escaping @Sendable () -> Void) {
    guard let thread = try? PlainThread.start(name: "waiting-tests", body) else {
      fatalError("no thread can be made for tests that wait")
    }
    _ = consume thread
  }

  func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job), isFirst: false) }

  func enqueue(_ job: UnownedJob, isFirst: Bool) {
    jobs.withLock { $0.insert(job, at: isFirst ? $0.startIndex : $0.endIndex) }
    sem_post(count)
  }

  private func work() {
    Self.takeSignals()
    while true {
      while sem_wait(count) != 0 {}
      runNext()
    }
  }

  /// Runs a job only where nothing else would be done: tests that sleep for a minute keep the other threads, and the end
  /// of all tests from coming.
  private func help() {
    Self.takeSignals()
    while true {
      MonotonicClock.sleep(milliseconds: Self.pause)
      while areIdle(), sem_trywait(count) == 0 { runNext() }
    }
  }

  private func runNext() {
    jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
  }

  /// Whether the processors have had time left over since a helper has looked last; one of them finds out at a time.
  private func areIdle() -> Bool {
    processors.withLock { last in
      guard let now = ProcessorTime.now() else { return false }
      // Too soon after the last look that a job which was begun then could be seen.
      if let last, now.total < last.total + ProcessorTime.least { return false }
      defer { last = now }
      return last.map { now.idleShare(since: $0) >= Self.leftOver } ?? false
    }
  }

  /// Programs that are started here are to get the signals that are sent to them.
  private static func takeSignals() {
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
  }
}

/// The shared threads, for jobs that go before all others.
private final class FrontOfLine: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) { WaitingThreads.shared.enqueue(UnownedJob(job), isFirst: true) }
}
