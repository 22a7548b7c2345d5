// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// A property wrapper for an identity of a view; SwiftUI's name and syntax.
@MainActor @propertyWrapper
public struct Namespace: BoundProperty {
  /// The identity.
  public struct ID: Hashable, Sendable {
    fileprivate let object: ObjectIdentifier
  }

  /// The object whose address is the identity.
  private final class Identity: Sendable {}

  @MainActor
  private final class Anchor {
    var identity = Identity()
  }

  private let anchor = Anchor()

  /// Creates an identity.
  public init() {}

  /// The identity, which is the same as long as the view is in the tree.
  public var wrappedValue: ID { ID(object: ObjectIdentifier(anchor.identity)) }

  package func bind(to node: ViewNode) { anchor.identity = node.nextPropertyStorage(anchor.identity) }
}
