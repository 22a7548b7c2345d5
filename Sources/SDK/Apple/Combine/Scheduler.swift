// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A place in which closures run; Combine's name. Queues and run loops of Foundation conform.
public protocol Scheduler {
  /// Runs a closure as soon as possible, after the closures before it.
  func enqueue(_ action: @escaping @Sendable () -> Void)
}

extension DispatchQueue: Scheduler {
  /// Runs a closure in the queue.
  public func enqueue(_ action: @escaping @Sendable () -> Void) { async(execute: action) }
}

extension OperationQueue: Scheduler {
  /// Runs a closure in the queue.
  public func enqueue(_ action: @escaping @Sendable () -> Void) { addOperation(action) }
}

extension RunLoop: Scheduler {
  /// Runs a closure in the run loop.
  public func enqueue(_ action: @escaping @Sendable () -> Void) { perform(action) }
}

extension Publisher {
  /// Returns a publisher that delivers the values in a queue or a run loop.
  ///
  /// As in Combine, a value is not used by the sender after it is sent.
  public func receive(on scheduler: some Scheduler) -> AnyPublisher<Output, Failure> {
    AnyPublisher { receiver in
      let delivery = Delivery(receiver: receiver)
      return deliver(
        to: Receiver(
          value: { value in
            nonisolated(unsafe) let value = value
            scheduler.enqueue { delivery.receiver.value(value) }
          },
          completion: { completion in
            scheduler.enqueue { delivery.receiver.completion(completion) }
          }
        )
      )
    }
  }
}

/// A receiver that is called only by a scheduler.
private struct Delivery<Output, Failure: Error>: @unchecked Sendable {
  let receiver: Receiver<Output, Failure>
}

extension NotificationCenter {
  /// Returns a publisher of the notifications with a name; Apple's method, which Foundation for Linux lacks.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - object: The object that posts the notifications, or `nil` for any. It is not retained.
  /// - Returns: The publisher, which delivers each notification on the thread that posts it.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil)
    -> AnyPublisher<Notification, Never>
  {
    let poster = object.map { ObjectIdentifier($0) }
    return AnyPublisher { receiver in
      let delivery = Delivery(receiver: receiver)
      // Foundation 6.2 for Linux delivers nothing to an observer of an object that is not an `NSObject`.
      let observer = self.addObserver(forName: name, object: nil, queue: nil) { notification in
        let object = notification.object.map { ObjectIdentifier($0 as AnyObject) }
        if poster == nil || object == poster { delivery.receiver.value(notification) }
      }
      return AnyCancellable { self.removeObserver(observer) }
    }
  }
}
