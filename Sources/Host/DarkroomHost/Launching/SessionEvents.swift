// SPDX-License-Identifier: Apache-2.0

/// The events of a session, from its start. Each iteration starts with the first event.
public struct SessionEvents: AsyncSequence, Sendable {
  /// The events so far.
  struct History: Sendable {
    var events: [SessionEvent] = []
    var isComplete = false
  }

  private let history: WatchedValue<History>

  /// Creates a sequence of the events of a history.
  init(_ history: WatchedValue<History>) { self.history = history }

  /// Creates an iterator that starts with the first event.
  public func makeAsyncIterator() -> Iterator { Iterator(history) }

  /// An iterator over the events of a session. It ends after the last event, or when the task is cancelled.
  public struct Iterator: AsyncIteratorProtocol {
    private let history: WatchedValue<History>
    private var position = 0

    /// Creates an iterator.
    fileprivate init(_ history: WatchedValue<History>) { self.history = history }

    /// Waits for the next event. Returns `nil` after the last one, or when the task is cancelled.
    public mutating func next() async -> SessionEvent? {
      let position = position
      let event = await history.next { history -> SessionEvent?? in
        if position < history.events.count { return .some(history.events[position]) }
        return history.isComplete ? .some(nil) : nil
      }
      guard let event, let event else { return nil }
      self.position += 1
      return event
    }
  }
}
