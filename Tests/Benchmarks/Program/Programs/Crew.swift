// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Synchronization

/// Several threads with the same work.
enum Crew {
  /// Runs a closure in several threads with their indices and waits for all of them.
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

    /// Waits for the exit of the thread.
    func wait() { thread.take()?.join() }
  }

  /// The first error of several threads.
  private final class Failure: Sendable {
    private let error = Mutex<(any Error)?>(nil)

    /// Stores an error unless there is one already.
    func note(_ new: any Error) { error.withLock { $0 = $0 ?? new } }

    /// The stored error.
    var first: (any Error)? { error.withLock { $0 } }
  }
}
