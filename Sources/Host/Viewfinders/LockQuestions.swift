// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
internal import Synchronization

/// What the person in front of a lock screen is asked and told, on its way from the thread that asks to the one that shows
/// it.
package final class LockQuestions: Sendable {
  /// One thing of it.
  package enum Word: Equatable, Sendable {
    /// They are asked this.
    case question(String, Echo)
    /// They are told this.
    case notice(String)
  }

  /// What becomes of what they type.
  package enum Echo: Equatable, Sendable {
    /// It can be seen.
    case shown
    /// It is a secret.
    case hidden
  }

  /// The most that waits; what is more is forgotten.
  private static let mostWaiting = 16

  private let waiting = Mutex<[Word]>([])
  private let counter: Descriptor

  /// Begins with none.
  package init() throws(SystemCallError) { counter = try EventCounter.make() }

  /// Readable as long as something waits.
  var readable: Int32 { counter.rawValue }

  /// Sends one; any thread may.
  package func send(_ word: Word) {
    waiting.withLock { waiting in
      if waiting.count < Self.mostWaiting { waiting.append(word) }
    }
    // A counter that cannot be added to is full, and so readable.
    try? EventCounter.add(to: counter)
  }

  /// Takes what waits.
  func take() -> [Word] {
    // In this order: what is sent in between is taken now, and the next look finds nothing.
    _ = try? EventCounter.take(counter)
    return waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
