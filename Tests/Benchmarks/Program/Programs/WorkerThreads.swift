// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Synchronization

/// Several threads with the same work.
enum WorkerThreads {
  /// Runs a closure in several threads with their indices and waits for all of them.
  static func work(threads: Int, _ body: @escaping @Sendable (_ thread: Int) throws -> Void) throws {
    let failure = FirstError()
    let workers = try (0..<threads).map { index in
      Worker(
        try PlainThread.start(name: "worker") {
          do { try body(index) } catch { failure.record(error) }
        }
      )
    }
    for worker in workers { worker.wait() }
    if let error = failure.first { throw error }
  }

  /// A thread in a form that an array can hold.
  private final class Worker {
    private var thread: PlainThread?

    init(_ thread: consuming PlainThread) { self.thread = consume thread }

    /// Waits for the exit of the thread.
    func wait() { thread.take()?.join() }
  }

  /// The first error of several threads.
  private final class FirstError: Sendable {
    private let error = Mutex<(any Error)?>(nil)

    /// Stores an error unless there is one already.
    func record(_ new: any Error) { error.withLock { $0 = $0 ?? new } }

    /// The stored error.
    var first: (any Error)? { error.withLock { $0 } }
  }
}
