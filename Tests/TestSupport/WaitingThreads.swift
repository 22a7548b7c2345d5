// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LinuxPrimitives
internal import Synchronization
package import Testing

/// A trait that runs tests that wait for processes on dedicated threads.
///
/// Tests run on the pool of the concurrency runtime, which has one thread for each processor. A test that
/// waits for a process blocks its thread. On two processors, two such tests block all others while the
/// machine is idle.
package struct WaitingTrait: SuiteTrait, TestTrait, TestScoping {
  fileprivate let threads: any TaskExecutor

  /// Applies to every test of a suite.
  package var isRecursive: Bool { true }

  /// Runs a test on one of the dedicated threads.
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

  /// The test waits for other processes most of the time and takes so long that it starts before all other
  /// waiting tests. If it started last, it would leave processors idle.
  package static var waitingFirst: WaitingTrait { WaitingTrait(threads: FrontOfQueue()) }

  /// The test waits for other processes most of the time and belongs to a serialized suite. On the shared
  /// threads, each test of the suite would queue again behind all other tests.
  package static var waitingSerially: WaitingTrait { WaitingTrait(threads: WaitingThreads.serial) }
}

/// An executor that runs jobs on a fixed number of threads.
private final class WaitingThreads: TaskExecutor {
  /// Twice as many threads as processors, and as many helpers, which run jobs while the threads are blocked
  /// and the processors are idle.
  static let shared = WaitingThreads(
    2 * max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))),
    helpers: 2 * max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  )
  /// Threads for serialized suites: one for each of the four longest suites, which would otherwise end long
  /// after all others.
  static let serial = WaitingThreads(4, helpers: 0)

  /// The polling interval of helpers, in milliseconds.
  private static let pause = 500
  /// The share of idle processor time above which a helper runs another job.
  private static let idleThreshold = 0.1

  /// The pending jobs, in order of arrival.
  private let jobs = Mutex<[UnownedJob]>([])
  /// The number of pending jobs. Any thread may use the semaphore (sem_overview(7)).
  private nonisolated(unsafe) let count: UnsafeMutablePointer<sem_t>

  /// The processor time at the last measurement of a helper.
  private let processors = Mutex<ProcessorTime?>(nil)

  private init(_ threads: Int, helpers: Int) {
    count = .allocate(capacity: 1)
    sem_init(count, 0, 0)
    for _ in 0..<threads { Self.start { [unowned self] in self.runWorker() } }
    for _ in 0..<helpers { Self.start { [unowned self] in self.runHelper() } }
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

  private func runWorker() {
    Self.unblockSignals()
    while true {
      while sem_wait(count) != 0 {}
      runNext()
    }
  }

  /// Runs jobs only while the processors are idle, because tests that sleep for a minute block the other
  /// threads and delay the end of the run.
  private func runHelper() {
    Self.unblockSignals()
    while true {
      MonotonicClock.sleep(milliseconds: Self.pause)
      while processorsAreIdle(), sem_trywait(count) == 0 { runNext() }
    }
  }

  private func runNext() {
    jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
  }

  /// Returns whether the processors have been idle since the last measurement. Only one helper measures at a
  /// time.
  private func processorsAreIdle() -> Bool {
    processors.withLock { last in
      guard let now = ProcessorTime.now() else { return false }
      // Too soon after the last measurement for a job that was started then to have an effect.
      if let last, now.total < last.total + ProcessorTime.minimumTicks { return false }
      defer { last = now }
      return last.map { now.idleShare(since: $0) >= Self.idleThreshold } ?? false
    }
  }

  /// Unblocks all signals, so that child processes that are started here receive them.
  private static func unblockSignals() {
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
  }
}

/// The shared threads, with a queue position before all other jobs.
private final class FrontOfQueue: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) { WaitingThreads.shared.enqueue(UnownedJob(job), isFirst: true) }
}
