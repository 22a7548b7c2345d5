// SPDX-License-Identifier: Apache-2.0

/// A source of values; Combine's name. The library implements all publishers.
///
/// A publisher delivers each value on the thread that sends the value, without a demand of the receiver.
public protocol Publisher<Output, Failure> {
  /// The type of the values.
  associatedtype Output
  /// The type of the error that can end the values.
  associatedtype Failure: Error

  /// Delivers values to a receiver, until the returned object is canceled or released.
  func deliver(to receiver: Receiver<Output, Failure>) -> AnyCancellable
}

/// The closures that receive the values of a publisher.
public struct Receiver<Output, Failure: Error> {
  let value: (Output) -> Void
  let completion: (Subscribers.Completion<Failure>) -> Void
}

/// The namespace of Combine for types of receivers.
public enum Subscribers {
  /// The reason why no more values follow.
  public enum Completion<Failure: Error> {
    /// The publisher has sent all values.
    case finished
    /// The publisher has failed.
    case failure(Failure)
  }
}

extension Subscribers.Completion: Sendable where Failure: Sendable {}

/// A publisher of any type; Combine's name. All operators return this type.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
  private let start: (Receiver<Output, Failure>) -> AnyCancellable

  init(_ start: @escaping (Receiver<Output, Failure>) -> AnyCancellable) { self.start = start }

  /// Creates a publisher with the values of another one.
  public init(_ publisher: some Publisher<Output, Failure>) { start = publisher.deliver }

  /// Delivers values to a receiver, until the returned object is canceled or released.
  public func deliver(to receiver: Receiver<Output, Failure>) -> AnyCancellable { start(receiver) }
}

extension Publisher {
  /// Returns the publisher without its type.
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }

  /// Receives values until the returned object is canceled or released.
  ///
  /// - Parameters:
  ///   - receiveCompletion: The closure that is called after the last value.
  ///   - receiveValue: The closure that is called with each value.
  /// - Returns: The subscription.
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable { deliver(to: Receiver(value: receiveValue, completion: receiveCompletion)) }
}

extension Publisher where Failure == Never {
  /// Receives values until the returned object is canceled or released.
  ///
  /// - Parameter receiveValue: The closure that is called with each value.
  /// - Returns: The subscription.
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    deliver(to: Receiver(value: receiveValue, completion: { _ in }))
  }

  /// Sets a property of an object to each value, until the returned object is canceled or released. The subscription retains the
  /// object.
  public func assign<Root: AnyObject>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root)
    -> AnyCancellable
  { sink { object[keyPath: keyPath] = $0 } }
}

extension Publisher where Failure == Never, Output: Sendable {
  /// The values as a sequence for `for await`. A loop that is too slow receives all values later.
  public var values: AsyncStream<Output> {
    AsyncStream { continuation in
      let subscription = sink(
        receiveCompletion: { _ in continuation.finish() },
        receiveValue: { continuation.yield($0) }
      )
      continuation.onTermination = { _ in subscription.cancel() }
    }
  }
}
