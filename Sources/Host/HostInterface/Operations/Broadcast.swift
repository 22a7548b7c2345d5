// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Elements that several streams receive. Any thread can send elements.
final class Broadcast<Element: Sendable>: Sendable {
  private struct State: Sendable {
    var next = 0
    var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
  }

  private let state = Mutex(State())
  private let buffering: AsyncStream<Element>.Continuation.BufferingPolicy

  /// Creates a broadcast. Each stream keeps the elements that were not taken as `buffering` requires.
  init(_ buffering: AsyncStream<Element>.Continuation.BufferingPolicy) { self.buffering = buffering }

  /// Returns a stream with the given elements, and each element that is sent later.
  func stream(after elements: [Element] = []) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: buffering)
    for element in elements { continuation.yield(element) }
    let number = state.withLock { state in
      state.next += 1
      state.listeners[state.next] = continuation
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.listeners[number] = nil }
    }
    return stream
  }

  /// Sends an element to all streams.
  func send(_ element: Element) {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener.yield(element) }
  }
}
