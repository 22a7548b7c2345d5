// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A place in an object of this module for state of a module that extends the class.
///
/// An extension of a class cannot store properties. With this place, a program that does not import the
/// extending module does not link its code either. It may be used on any thread.
package final class Attachment: Sendable {
  private let object = Mutex<(any AnyObject & Sendable)?>(nil)

  package init() {}

  /// The attached object, or `nil` if none was attached.
  package var current: (any AnyObject & Sendable)? { object.withLock { $0 } }

  /// Returns the attached object of the given type; the first call attaches the object that `make` returns.
  ///
  /// - Parameters:
  ///   - type: The type of the object. All callers use the same type for the same place.
  ///   - make: The closure that creates the object. It must not use this place.
  /// - Returns: The attached object.
  package func object<Object: AnyObject & Sendable>(_ type: Object.Type, _ make: () -> Object) -> Object {
    object.withLock { object in
      if let object = object as? Object { return object }
      let new = make()
      object = new
      return new
    }
  }
}
