// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture
public import UIKit

/// A view that shows a view of UIKit; SwiftUI's name and requirements.
///
/// The view of UIKit is created when the representable view enters the tree. It fills the proposed space, except in directions
/// in which it has an intrinsic size.
@MainActor @preconcurrency
public protocol UIViewRepresentable: View {
  /// The type of the view of UIKit.
  associatedtype UIViewType: UIView
  /// The type of the coordinator.
  associatedtype Coordinator = Void
  /// The type of the context.
  typealias Context = UIViewRepresentableContext<Self>

  /// Creates the view of UIKit; called once, when the representable view enters the tree.
  func makeUIView(context: Context) -> UIViewType

  /// Updates the view of UIKit; called after its creation, and after a change of a value that the method has read.
  func updateUIView(_ uiView: UIViewType, context: Context)

  /// Cleans up when the representable view leaves the tree; by default does nothing.
  static func dismantleUIView(_ uiView: UIViewType, coordinator: Coordinator)

  /// Creates the coordinator, which lives as long as the view of UIKit and can be its delegate.
  func makeCoordinator() -> Coordinator
}

extension UIViewRepresentable {
  /// The view of UIKit.
  public var body: some View { RepresentedView(source: RepresentedUIView(representable: self)) }

  /// Does nothing.
  public static func dismantleUIView(_ uiView: UIViewType, coordinator: Coordinator) {}
}

extension UIViewRepresentable where Coordinator == Void {
  /// Creates no coordinator.
  public func makeCoordinator() {}
}

/// The context of a ``UIViewRepresentable``.
@MainActor @preconcurrency
public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {
  /// The coordinator of the view.
  public let coordinator: Representable.Coordinator
  /// The environment of the view at the time of the call.
  public let environment: EnvironmentValues
}

/// A view of UIKit as the content of a view.
private struct RepresentedUIView<Representable: UIViewRepresentable>: RepresentedSource {
  let representable: Representable

  func makeCoordinator() -> Representable.Coordinator { representable.makeCoordinator() }

  func make(_ context: RepresentedContext<Representable.Coordinator>) -> Representable.UIViewType {
    representable.makeUIView(context: Self.context(context))
  }

  func update(_ object: Representable.UIViewType, _ context: RepresentedContext<Representable.Coordinator>) {
    representable.updateUIView(object, context: Self.context(context))
  }

  static func dismantle(_ object: Representable.UIViewType, _ coordinator: Representable.Coordinator) {
    Representable.dismantleUIView(object, coordinator: coordinator)
  }

  static func content(of object: Representable.UIViewType) -> RepresentedContent { .view(object) }

  private static func context(_ context: RepresentedContext<Representable.Coordinator>)
    -> Representable.Context
  {
    Representable.Context(coordinator: context.coordinator, environment: context.environment)
  }
}
