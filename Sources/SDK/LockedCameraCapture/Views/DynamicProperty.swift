// SPDX-License-Identifier: Apache-2.0

/// A property of a view whose value the library stores outside of the view; SwiftUI's name.
///
/// A structure that conforms and contains such properties, such as ``State``, is connected to its view like them.
@MainActor @preconcurrency
public protocol DynamicProperty {}

/// A property that the library connects to the place of its view in the tree.
@MainActor
package protocol BoundProperty: DynamicProperty {
  /// Connects the property to the place of its view; called before each evaluation of the body.
  func bind(to node: ViewNode)
}

/// A variable that evaluates the views that read it again when it changes.
@MainActor
package final class TrackedValue<Value> {
  private var stored: Value
  private let dependents = Dependents()

  package init(_ value: Value) { stored = value }

  /// The current value.
  package var value: Value {
    get {
      dependents.register()
      return stored
    }
    set {
      let isChanged = !isEqual(stored, newValue)
      stored = newValue
      if isChanged { dependents.invalidate() }
    }
  }
}

/// Returns whether both values are equal, or `false` if their type is not `Equatable`.
func isEqual<Value>(_ first: Value, _ second: Value) -> Bool {
  guard let first = first as? any Equatable else { return false }
  return first.isEqual(to: second)
}

extension Equatable {
  /// Returns whether `other` has this type and is equal.
  fileprivate func isEqual(to other: Any) -> Bool { other as? Self == self }
}
