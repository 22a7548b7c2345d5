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
  fileprivate let threads: WaitingThreads

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
  package static var waiting: WaitingTrait { WaitingTrait(threads: .shared) }

  /// The test waits for other processes most of the time, and is one of a suite in which one comes after the other: each of
  /// them would wait for a thread again, and the last one for all other tests.
  package static var waitingInTurn: WaitingTrait { WaitingTrait(threads: .inTurn) }
}

/// Threads that run one job after the other.
private final class WaitingThreads: TaskExecutor {
  /// Twice as many as there are processors: with fewer, tests that sleep leave them idle in the end.
  static let shared = WaitingThreads(2 * max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  /// For suites that have one job at a time.
  static let inTurn = WaitingThreads(2)

  /// What waits for a thread, in the order in which it came.
  private let jobs = Mutex<[UnownedJob]>([])
  /// How much of it there is. Every thread may use it (sem_overview(7)).
  private nonisolated(unsafe) let count: UnsafeMutablePointer<sem_t>

  private init(_ threads: Int) {
    count = .allocate(capacity: 1)
    sem_init(count, 0, 0)
    for _ in 0..<threads {
      guard let thread = try? PlainThread.start(name: "waiting-tests", { [unowned self] in self.work() })
      else {
        fatalError("no thread can be made for tests that wait")
      }
      _ = consume thread
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    sem_post(count)
  }

  private func work() {
    // Programs that are started here are to get the signals that are sent to them.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    while true {
      while sem_wait(count) != 0 {}
      jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
