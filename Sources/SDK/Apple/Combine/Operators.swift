// SPDX-License-Identifier: Apache-2.0

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
