// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension NotificationCenter {
  /// Returns the notifications with a name, from now on. Foundation for Linux lacks this method of Apple's.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - object: The object that posts the notifications, or `nil` for any. It is not retained.
  /// - Returns: A sequence without an end for one consumer.
  @_disfavoredOverload
  public func notifications(
    named name: Notification.Name,
    object: (any AnyObject & Sendable)? = nil
  ) -> NotificationSequence { NotificationSequence(self, name, object) }
}

/// The notifications with a name, for one consumer. Notifications wait for the consumer.
///
/// `@unchecked Sendable`, as in Apple's API: the consumer uses each notification after the observer has passed it on.
public final class NotificationSequence: AsyncSequence, @unchecked Sendable {
  /// A notification that is passed to the consumer.
  fileprivate struct Box: @unchecked Sendable { let notification: Notification }

  private let stream: AsyncStream<Box>
  private let center: NotificationCenter
  private let observer: any NSObjectProtocol

  init(_ center: NotificationCenter, _ name: Notification.Name, _ object: AnyObject?) {
    let (stream, continuation) = AsyncStream.makeStream(of: Box.self)
    self.stream = stream
    self.center = center
    observer = center.addObserver(forName: name, object: object, queue: nil) { notification in
      continuation.yield(Box(notification: notification))
    }
  }

  deinit { center.removeObserver(observer) }

  /// Returns an iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(sequence: self, base: stream.makeAsyncIterator()) }

  /// An iterator over notifications.
  public struct Iterator: AsyncIteratorProtocol {
    /// Keeps the observer while the consumer iterates.
    fileprivate let sequence: NotificationSequence
    fileprivate var base: AsyncStream<Box>.Iterator

    /// Waits for the next notification.
    ///
    /// - Returns: The notification, or `nil` if the task was canceled.
    public mutating func next() async -> Notification? { await base.next()?.notification }
  }
}
