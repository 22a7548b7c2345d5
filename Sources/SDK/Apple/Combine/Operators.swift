// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

extension Publisher {
  /// Returns a publisher that calls a handler with each value and with a closure that sends values.
  ///
  /// - Parameter makeHandler: Returns the handler, with its state, for one subscription.
  /// - Returns: The publisher of the sent values.
  private func handled<New>(
    _ makeHandler: @escaping () -> (Output, (New) -> Void) -> Void
  ) -> AnyPublisher<New, Failure> {
    AnyPublisher { receiver in
      let handler = makeHandler()
      return deliver(
        to: Receiver(value: { handler($0, receiver.value) }, completion: receiver.completion)
      )
    }
  }

  /// Returns a publisher of the results of a closure.
  public func map<New>(_ transform: @escaping (Output) -> New) -> AnyPublisher<New, Failure> {
    handled { { value, send in send(transform(value)) } }
  }

  /// Returns a publisher of a member of the values.
  public func map<New>(_ keyPath: KeyPath<Output, New>) -> AnyPublisher<New, Failure> {
    map { $0[keyPath: keyPath] }
  }

  /// Returns a publisher of the results of a closure that are not `nil`.
  public func compactMap<New>(_ transform: @escaping (Output) -> New?) -> AnyPublisher<New, Failure> {
    handled { { value, send in if let new = transform(value) { send(new) } } }
  }

  /// Returns a publisher of the values for which a closure returns `true`.
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
    handled { { value, send in if isIncluded(value) { send(value) } } }
  }

  /// Returns a publisher of the results of a closure, which is called with the result before and each value.
  public func scan<New>(_ initialResult: New, _ nextResult: @escaping (New, Output) -> New)
    -> AnyPublisher<New, Failure>
  {
    handled {
      var result = initialResult
      return { value, send in
        result = nextResult(result, value)
        send(result)
      }
    }
  }

  /// Returns a publisher of the first values, which finishes after the last of them.
  public func prefix(_ maxLength: Int) -> AnyPublisher<Output, Failure> {
    AnyPublisher { receiver in
      guard maxLength > 0 else {
        receiver.completion(.finished)
        return AnyCancellable {}
      }
      let rest = PrefixedValues(maxLength)
      let subscription = deliver(
        to: Receiver(
          value: { value in
            guard let isLast = rest.take() else { return }
            receiver.value(value)
            if isLast {
              receiver.completion(.finished)
              rest.end()
            }
          },
          completion: { completion in
            if rest.isOpen { receiver.completion(completion) }
          }
        )
      )
      rest.setSubscription(subscription)
      return AnyCancellable { rest.end() }
    }
  }

  /// Returns a publisher of the first value.
  public func first() -> AnyPublisher<Output, Failure> { prefix(1) }

  /// Returns a publisher without the first values.
  public func dropFirst(_ count: Int = 1) -> AnyPublisher<Output, Failure> {
    handled {
      var rest = count
      return { value, send in if rest > 0 { rest -= 1 } else { send(value) } }
    }
  }

  /// Returns a publisher without the values for which a closure returns `true`, called with the value before and the value.
  public func removeDuplicates(by isEqual: @escaping (Output, Output) -> Bool)
    -> AnyPublisher<Output, Failure>
  {
    handled {
      var last: Output?
      return { value, send in
        if let last, isEqual(last, value) { return }
        last = value
        send(value)
      }
    }
  }

  /// Returns a publisher that calls a closure with each value before it sends the value.
  public func handleEvents(receiveOutput: @escaping (Output) -> Void) -> AnyPublisher<Output, Failure> {
    handled {
      { value, send in
        receiveOutput(value)
        send(value)
      }
    }
  }
}

/// The state of a subscription that ends after a number of values. It may be used on any thread.
private final class PrefixedValues: Sendable {
  private struct State: Sendable {
    var rest: Int
    var hasEnded = false
    var subscription: AnyCancellable?
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(rest: count)) }

  /// Whether more values follow.
  var isOpen: Bool { state.withLock { $0.rest > 0 && !$0.hasEnded } }

  /// Counts a value, and returns whether the value is the last one, or `nil` if the value is not delivered.
  func take() -> Bool? {
    state.withLock { state in
      guard state.rest > 0, !state.hasEnded else { return nil }
      state.rest -= 1
      return state.rest == 0
    }
  }

  /// Keeps the subscription until the end, unless the values have already ended.
  func setSubscription(_ subscription: AnyCancellable) {
    let hasEnded = state.withLock { state in
      if !state.hasEnded { state.subscription = subscription }
      return state.hasEnded
    }
    if hasEnded { subscription.cancel() }
  }

  /// Ends the subscription.
  func end() {
    let subscription = state.withLock { state in
      defer { state.subscription = nil }
      state.hasEnded = true
      return state.subscription
    }
    subscription?.cancel()
  }
}

extension Publisher where Output: Equatable {
  /// Returns a publisher without the values that equal the value before.
  public func removeDuplicates() -> AnyPublisher<Output, Failure> { removeDuplicates(by: ==) }
}

extension Publisher where Failure == Never {
  /// Returns a publisher of the values of both publishers, in the order in which they arrive.
  public func merge(with other: some Publisher<Output, Never>) -> AnyPublisher<Output, Never> {
    AnyPublisher { receiver in
      let subscriptions = (
        sink(receiveValue: receiver.value), other.sink(receiveValue: receiver.value)
      )
      return AnyCancellable {
        subscriptions.0.cancel()
        subscriptions.1.cancel()
      }
    }
  }
}
