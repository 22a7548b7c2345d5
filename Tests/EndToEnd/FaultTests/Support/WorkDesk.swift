// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Where threads take their work from, and put what came of it.
final class WorkDesk<Element: Sendable, Result: Sendable>: Sendable {
  private struct State {
    /// The next one to be taken.
    var next = 0
    /// What came of those that are done.
    var results: [Int: Result] = [:]
  }

  private let elements: [Element]
  private let state = Mutex(State())

  /// Offers work.
  init(_ elements: [Element]) { self.elements = elements }

  /// The number of an element that nobody has taken; nil: there is none.
  func next() -> Int? {
    state.withLock { state in
      guard state.next < elements.count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  /// Does the work for an element.
  func put(_ index: Int, _ body: (Element) -> Result) {
    let result = body(elements[index])
    state.withLock { $0.results[index] = result }
  }

  /// What came of all, in their order.
  func results() -> [Result] {
    state.withLock { state in elements.indices.compactMap { state.results[$0] } }
  }
}
