// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
internal import Synchronization

/// A queue of questions and notices from the authentication thread to the thread of the lock screen.
package final class LockQuestions: Sendable {
  /// A message in the queue.
  package enum Message: Equatable, Sendable {
    /// A question to the user.
    case question(String, Echo)
    /// A notice to the user.
    case notice(String)
  }

  /// Whether typed characters are visible.
  package enum Echo: Equatable, Sendable {
    /// The characters are visible.
    case shown
    /// The characters are secret.
    case hidden
  }

  /// The maximum number of messages in the queue. Further messages are discarded.
  private static let maximumWaiting = 16

  private let waiting = Mutex<[Message]>([])
  private let counter: Descriptor

  /// Creates an empty queue.
  package init() throws(SystemCallError) { counter = try EventCounter.make() }

  /// A descriptor that is readable while the queue is not empty.
  var readable: Int32 { counter.rawValue }

  /// Adds a message. It may be called on any thread.
  package func send(_ word: Message) {
    waiting.withLock { waiting in
      if waiting.count < Self.maximumWaiting { waiting.append(word) }
    }
    // Adding fails only if the counter is full, and then it is readable.
    try? EventCounter.add(to: counter)
  }

  /// Returns and removes all messages.
  func take() -> [Message] {
    // The counter is reset first: a message that arrives in between is returned now, and the next call
    // returns an empty array.
    _ = try? EventCounter.take(counter)
    return waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
