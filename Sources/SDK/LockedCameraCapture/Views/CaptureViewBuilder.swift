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

  func install(in context: ViewContext) throws {}
}

/// Two views, one above the other.
public struct JoinedView<Below: CaptureView, Above: CaptureView>: CaptureView, BuiltInView {
  let below: Below
  let above: Above

  func install(in context: ViewContext) throws {
    try context.install(below)
    try context.install(above)
  }
}

/// A view or nothing.
public struct OptionalView<Content: CaptureView>: CaptureView, BuiltInView {
  let content: Content?

  func install(in context: ViewContext) throws {
    if let content { try context.install(content) }
  }
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

  func install(in context: ViewContext) throws {
    switch content {
    case .first(let view): try context.install(view)
    case .second(let view): try context.install(view)
    }
  }
}

/// A stack of views; later views are drawn over earlier ones.
public struct ZStack<Content: CaptureView>: CaptureView {
  private let content: Content

  /// Creates a stack of views.
  public init(@CaptureViewBuilder content: () -> Content) { self.content = content() }

  /// The views of the stack.
  public var body: Content { content }
}
