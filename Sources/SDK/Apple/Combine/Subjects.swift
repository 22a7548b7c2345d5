// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The receivers of a subject. It may be used on any thread.
final class Receivers<Output, Failure: Error>: Sendable {
  /// Passes a receiver between threads, as Combine does: the thread that sends a value calls the closure.
  private struct Box: @unchecked Sendable { let receiver: Receiver<Output, Failure> }

  private struct State: Sendable {
    var boxes: [Int: Box] = [:]
    var nextNumber = 0
  }

  private let state = Mutex(State())

  /// Adds a receiver until the returned object is canceled or released.
  func add(_ receiver: Receiver<Output, Failure>) -> AnyCancellable {
    let box = Box(receiver: receiver)
    let number = state.withLock { state in
      state.nextNumber += 1
      state.boxes[state.nextNumber] = box
      return state.nextNumber
    }
    return AnyCancellable { [weak self] in self?.state.withLock { _ = $0.boxes.removeValue(forKey: number) } }
  }

  /// Sends a value to all receivers, in the order of their subscriptions.
  func send(_ value: Output) {
    let boxes = state.withLock(\.boxes)
    for (_, box) in boxes.sorted(by: { $0.key < $1.key }) { box.receiver.value(value) }
  }

  /// Sends the completion to all receivers, and removes them.
  func send(completion: Subscribers.Completion<Failure>) {
    let boxes = state.withLock { state in
      defer { state.boxes = [:] }
      return state.boxes
    }
    for (_, box) in boxes.sorted(by: { $0.key < $1.key }) { box.receiver.completion(completion) }
  }
}

/// A publisher of values that are sent to it; Combine's name. It may be used on any thread.
public final class PassthroughSubject<Output, Failure: Error>: Publisher, Sendable {
  private let receivers = Receivers<Output, Failure>()

  /// Creates a publisher.
  public init() {}

  /// Sends a value.
  public func send(_ value: Output) { receivers.send(value) }

  /// Ends the values.
  public func send(completion: Subscribers.Completion<Failure>) { receivers.send(completion: completion) }

  /// Delivers values to a receiver, until the returned object is canceled or released.
  public func deliver(to receiver: Receiver<Output, Failure>) -> AnyCancellable { receivers.add(receiver) }
}

extension PassthroughSubject where Output == Void {
  /// Sends a value without content.
  public func send() { send(()) }
}

/// A publisher that sends its value to new receivers and after each change; Combine's name.
///
/// `@unchecked Sendable` as Combine's class is: do not change the value on two threads at the same time.
public final class CurrentValueSubject<Output, Failure: Error>: Publisher, @unchecked Sendable {
  private let receivers = Receivers<Output, Failure>()

  /// The value.
  public var value: Output {
    didSet { receivers.send(value) }
  }

  /// Creates a publisher with a value.
  public init(_ value: Output) { self.value = value }

  /// Changes the value.
  public func send(_ value: Output) { self.value = value }

  /// Ends the values.
  public func send(completion: Subscribers.Completion<Failure>) { receivers.send(completion: completion) }

  /// Delivers the value and its changes to a receiver, until the returned object is canceled or released.
  public func deliver(to receiver: Receiver<Output, Failure>) -> AnyCancellable {
    receiver.value(value)
    return receivers.add(receiver)
  }
}
