// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

extension Animation {
  /// The course with which the current changes become visible, or `nil` to show them at once.
  @MainActor
  static var current: Animation? { ViewGraph.animation as? Animation }
}

/// Performs changes that become visible with a course; SwiftUI's name.
///
/// The views that read a changed value move from their last appearance to the new one. Changes after a suspension of a task are
/// shown at once.
///
/// - Parameters:
///   - animation: The course, or `nil` to show the changes at once.
///   - body: The changes.
/// - Returns: The result of `body`.
@MainActor
public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows
  -> Result
{
  let enclosing = ViewGraph.animation
  ViewGraph.animation = animation
  defer { ViewGraph.animation = enclosing }
  return try body()
}

/// The last value on which an animation depends.
private final class ObservedValue<Value> {
  var value: Value

  init(_ value: Value) { self.value = value }
}

/// A view that shows the changes of its content with a course when a value has changed.
private struct AnimatingView<Content: View, Value: Equatable>: BuiltInView {
  let content: Content
  let animation: Animation?
  let value: Value

  func update(_ node: ViewNode) throws {
    let last = node.storage as? ObservedValue<Value>
    guard let last, last.value != value else {
      node.storage = last ?? ObservedValue(value)
      return try node.setChild(content)
    }
    last.value = value
    let enclosing = ViewGraph.animation
    ViewGraph.animation = animation
    defer { ViewGraph.animation = enclosing }
    try node.setChild(content)
  }
}

extension View {
  /// Shows changes of the view with a course when `value` has changed; `nil` shows them at once.
  public func animation<Value: Equatable>(_ animation: Animation?, value: Value) -> some View {
    AnimatingView(content: self, animation: animation, value: value)
  }
}

extension Binding {
  /// Returns a binding whose changes become visible with a course.
  public func animation(_ animation: Animation? = .default) -> Binding<Value> {
    Binding(get: { wrappedValue }, set: { new in withAnimation(animation) { wrappedValue = new } })
  }
}
