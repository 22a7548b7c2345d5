// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A queue of elements for several threads, with the results of the work.
final class WorkQueue<Element: Sendable, Result: Sendable>: Sendable {
  private struct State {
    /// The index of the next element.
    var next = 0
    /// The results of finished elements, by index.
    var results: [Int: Result] = [:]
  }

  private let elements: [Element]
  private let state = Mutex(State())

  /// Creates a queue.
  init(_ elements: [Element]) { self.elements = elements }

  /// Returns the index of an element that no other thread has taken, or `nil` if the queue is empty.
  func next() -> Int? {
    state.withLock { state in
      guard state.next < elements.count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  /// Runs the work for an element and stores its result.
  func perform(_ index: Int, _ body: (Element) -> Result) {
    let result = body(elements[index])
    state.withLock { $0.results[index] = result }
  }

  /// Returns all results in the order of the elements.
  func results() -> [Result] {
    state.withLock { state in elements.indices.compactMap { state.results[$0] } }
  }
}
