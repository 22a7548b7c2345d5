// SPDX-License-Identifier: Apache-2.0

/// Joins views that are written below each other; what comes later is drawn over what comes before.
@MainActor @resultBuilder
public enum CaptureViewBuilder {
  /// No view.
  public static func buildBlock() -> EmptyView { EmptyView() }

  /// The only view.
  public static func buildPartialBlock<First: CaptureView>(first: First) -> First { first }

  /// What there is, and one view more.
  public static func buildPartialBlock<Below: CaptureView, Above: CaptureView>(
    accumulated: Below,
    next: Above
  ) -> JoinedView<Below, Above> {
    JoinedView(below: accumulated, above: next)
  }

  /// A view that there is only on a condition.
  public static func buildOptional<Content: CaptureView>(_ content: Content?) -> OptionalView<Content> {
    OptionalView(content: content)
  }

  /// The view of a condition that holds.
  public static func buildEither<First: CaptureView, Second: CaptureView>(
    first: First
  ) -> EitherView<First, Second> {
    EitherView(content: .first(first))
  }

  /// The view of a condition that does not hold.
  public static func buildEither<First: CaptureView, Second: CaptureView>(
    second: Second
  ) -> EitherView<First, Second> {
    EitherView(content: .second(second))
  }

  /// A view that only later systems have.
  public static func buildLimitedAvailability<Content: CaptureView>(_ content: Content) -> Content { content }
}

/// A view that does nothing.
public struct EmptyView: CaptureView, BuiltInView {
  /// Makes it.
  public init() {}

  func install(in context: ViewContext) throws {}
}

/// Two views.
public struct JoinedView<Below: CaptureView, Above: CaptureView>: CaptureView, BuiltInView {
  let below: Below
  let above: Above

  func install(in context: ViewContext) throws {
    try context.install(below)
    try context.install(above)
  }
}

/// A view, or nothing.
public struct OptionalView<Content: CaptureView>: CaptureView, BuiltInView {
  let content: Content?

  func install(in context: ViewContext) throws {
    if let content { try context.install(content) }
  }
}

/// One of two views.
public struct EitherView<First: CaptureView, Second: CaptureView>: CaptureView, BuiltInView {
  /// Which one.
  enum Content {
    /// The one of a condition that holds.
    case first(First)
    /// The other one.
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

/// Views over each other; what comes later is drawn over what comes before.
public struct ZStack<Content: CaptureView>: CaptureView {
  private let content: Content

  /// Joins views.
  public init(@CaptureViewBuilder content: () -> Content) { self.content = content() }

  /// The views.
  public var body: Content { content }
}
