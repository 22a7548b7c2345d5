// SPDX-License-Identifier: Apache-2.0

package import LockedCameraCapture
internal import Synchronization

/// An object whose published properties evaluate views again; Combine's name.
public protocol ObservableObject: AnyObject {
  /// The publisher of changes.
  var objectWillChange: ObservableObjectPublisher { get }
}

extension ObservableObject {
  /// The publisher that all published properties of the object use.
  public var objectWillChange: ObservableObjectPublisher { ObservableObjectPublisher.publisher(of: self) }
}

/// The publisher of the changes of an object; Combine's name.
public final class ObservableObjectPublisher: Publisher, Sendable {
  /// The views that use the object.
  package let dependents = Dependents()
  private let receivers = Receivers<Void, Never>()

  /// The publisher of an object, which it does not keep.
  ///
  /// It is `@unchecked Sendable` because the weak reference is only compared with `nil`.
  private struct Entry: @unchecked Sendable {
    weak var object: AnyObject?
    let publisher: ObservableObjectPublisher
  }

  /// The publishers by their objects.
  private static let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  /// Creates a publisher for an object that declares its own.
  public init() {}

  /// Returns the publisher of an object.
  fileprivate static func publisher(of object: AnyObject) -> ObservableObjectPublisher {
    let key = ObjectIdentifier(object)
    let new = Entry(object: object, publisher: ObservableObjectPublisher())
    return entries.withLock { entries in
      // A later object can have the address of a released one.
      if let known = entries[key], known.object != nil { return known.publisher }
      entries = entries.filter { $0.value.object != nil }
      entries[key] = new
      return new.publisher
    }
  }

  /// Announces a change of the object, and evaluates its views again after the current event of the main actor.
  public func send() {
    dependents.invalidateFromAnyThread()
    receivers.send(())
  }

  /// Calls a receiver before each change of the object, until the returned object is canceled or released.
  public func deliver(to receiver: Receiver<Void, Never>) -> AnyCancellable { receivers.add(receiver) }
}
