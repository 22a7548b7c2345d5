// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// An activity that can be canceled; Combine's name.
public protocol Cancellable {
  /// Ends the activity; further calls have no effect.
  func cancel()
}

/// A subscription, which ends when the object is canceled or released; Combine's name. It may be used on any thread.
///
/// `@unchecked Sendable` because the mutex gives the action to only one caller.
public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {
  /// An action that only the caller that takes it from the mutex uses.
  private struct Action: @unchecked Sendable { let perform: () -> Void }

  private let action: Mutex<Action?>

  /// Creates a subscription that ends by an action.
  public init(_ cancel: @escaping () -> Void) { action = Mutex(Action(perform: cancel)) }

  /// Creates a subscription that ends another activity.
  public convenience init(_ canceller: some Cancellable) { self.init { canceller.cancel() } }

  deinit { cancel() }

  /// Ends the subscription; further calls have no effect.
  public func cancel() {
    let action = action.withLock { action in
      defer { action = nil }
      return action
    }
    action?.perform()
  }

  /// Keeps the subscription in a set, and thus until the set is released.
  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

  /// Keeps the subscription in a collection, and thus until the collection is released.
  public func store(in collection: inout some RangeReplaceableCollection<AnyCancellable>) {
    collection.append(self)
  }

  /// Returns whether both are the same object.
  public static func == (first: AnyCancellable, second: AnyCancellable) -> Bool { first === second }

  /// Adds the identity of the object to a hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
