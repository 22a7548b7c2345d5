// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Synchronization

/// Several threads that do the same.
enum Crew {
  /// Does something in so many threads, each with its number, and waits until all are done.
  static func work(threads: Int, _ body: @escaping @Sendable (_ thread: Int) throws -> Void) throws {
    let failure = Failure()
    let members = try (0..<threads).map { index in
      Member(
        try PlainThread.start(name: "worker") {
          do { try body(index) } catch { failure.note(error) }
        }
      )
    }
    for member in members { member.wait() }
    if let error = failure.first { throw error }
  }

  /// A thread in a form that an array can hold.
  private final class Member {
    private var thread: PlainThread?

    init(_ thread: consuming PlainThread) { self.thread = consume thread }

    /// Waits until it has ended.
    func wait() { thread.take()?.join() }
  }

  /// The first error of several threads.
  private final class Failure: Sendable {
    private let error = Mutex<(any Error)?>(nil)

    /// Keeps an error unless there is one already.
    func note(_ new: any Error) { error.withLock { $0 = $0 ?? new } }

    /// The error that was kept.
    var first: (any Error)? { error.withLock { $0 } }
  }
}
