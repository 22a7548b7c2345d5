// SPDX-License-Identifier: Apache-2.0

#if compiler(<6.3)
  public import Foundation

  extension NotificationCenter {
    /// Adds an observer of the notifications of an object. Foundation 6.2 for Linux delivers no notifications of objects of pure
    /// Swift classes, such as capture sessions, to such an observer.
    ///
    /// - Parameters:
    ///   - name: The name of the notifications, or `nil` for any.
    ///   - object: The object that posts the notifications, or `nil` for any. It is not retained.
    ///   - queue: The queue of the handler, or `nil` for the thread that posts.
    ///   - block: The handler.
    /// - Returns: The observer, with which the handler is removed.
    public func addObserver(
      forName name: Notification.Name?,
      object: (some AnyObject)?,
      queue: OperationQueue?,
      using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
      let poster = object.map { ObjectIdentifier($0) }
      return addObserver(forName: name, object: nil as Any?, queue: queue) { notification in
        if let poster {
          guard let object = notification.object, ObjectIdentifier(object as AnyObject) == poster else {
            return
          }
        }
        block(notification)
      }
    }
  }
#endif
