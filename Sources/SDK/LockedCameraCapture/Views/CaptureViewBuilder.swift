// SPDX-License-Identifier: Apache-2.0

/// The result builder of views; later views are drawn over earlier ones.
@MainActor @resultBuilder
public enum CaptureViewBuilder {
  /// Returns an empty view.
  public static func buildBlock() -> EmptyView { EmptyView() }

  /// Returns the first view of a block.
  public static func buildPartialBlock<First: CaptureView>(first: First) -> First { first }

  /// Returns the accumulated views with `next` above them.
  public static func buildPartialBlock<Below: CaptureView, Above: CaptureView>(
    accumulated: Below,
    next: Above
  ) -> JoinedView<Below, Above> {
    JoinedView(below: accumulated, above: next)
  }

  /// Returns the view of an `if` without `else`, or an empty view if the condition does not hold.
  public static func buildOptional<Content: CaptureView>(_ content: Content?) -> OptionalView<Content> {
    OptionalView(content: content)
  }

  /// Returns the view of the first branch of a condition.
  public static func buildEither<First: CaptureView, Second: CaptureView>(
    first: First
  ) -> EitherView<First, Second> {
    EitherView(content: .first(first))
  }

  /// Returns the view of the second branch of a condition.
  public static func buildEither<First: CaptureView, Second: CaptureView>(
    second: Second
  ) -> EitherView<First, Second> {
    EitherView(content: .second(second))
  }

  /// Returns a view that requires a later version of the system.
  public static func buildLimitedAvailability<Content: CaptureView>(_ content: Content) -> Content { content }
}

/// A view that does nothing.
public struct EmptyView: CaptureView, BuiltInView {
  /// Creates an empty view.
  public init() {}

  package func update(_ node: ViewNode) throws {}
}

/// Two views, one above the other.
public struct JoinedView<Below: CaptureView, Above: CaptureView>: CaptureView, BuiltInView {
  let below: Below
  let above: Above

  package func update(_ node: ViewNode) throws { try node.setChildren([(0, below), (1, above)]) }
}

/// A view or nothing.
public struct OptionalView<Content: CaptureView>: CaptureView, BuiltInView {
  let content: Content?

  package func update(_ node: ViewNode) throws { try node.setChildren(content.map { [(0, $0)] } ?? []) }
}

/// One of two views.
public struct EitherView<First: CaptureView, Second: CaptureView>: CaptureView, BuiltInView {
  /// The views of the two branches of a condition.
  enum Content {
    /// The view of the first branch.
    case first(First)
    /// The view of the second branch.
    case second(Second)
  }

  let content: Content

  package func update(_ node: ViewNode) throws {
    switch content {
    case .first(let view): try node.setChild(view, key: 0)
    case .second(let view): try node.setChild(view, key: 1)
    }
  }
}

/// A stack of views; later views are drawn over earlier ones.
public struct ZStack<Content: CaptureView>: CaptureView, BuiltInView {
  /// The position of smaller views in the stack.
  package let alignment: Alignment
  private let content: Content

  /// Creates a stack of views.
  ///
  /// - Parameters:
  ///   - alignment: The position of smaller views in the stack; the module `SwiftUI` arranges the views.
  ///   - content: The views.
  public init(alignment: Alignment = .center, @CaptureViewBuilder content: () -> Content) {
    self.alignment = alignment
    self.content = content()
  }

  package func update(_ node: ViewNode) throws { try node.setChild(content) }
}

/// A view with views over it, which do not change its size.
package struct OverlaidView<Base: CaptureView, Above: CaptureView>: BuiltInView {
  let base: Base
  let above: Above
  package let alignment: Alignment

  package func update(_ node: ViewNode) throws { try node.setChildren([(0, base), (1, above)]) }
}
