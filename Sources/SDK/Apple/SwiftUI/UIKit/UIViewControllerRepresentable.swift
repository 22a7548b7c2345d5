// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture
public import UIKit

/// A view that shows the view of a view controller; SwiftUI's name and requirements.
///
/// The view controller is created when the representable view enters the tree. Its view fills the proposed space, except in
/// directions in which it has an intrinsic size. A `UIImagePickerController` shows a viewfinder and takes pictures.
@MainActor @preconcurrency
public protocol UIViewControllerRepresentable: View {
  /// The type of the view controller.
  associatedtype UIViewControllerType: UIViewController
  /// The type of the coordinator.
  associatedtype Coordinator = Void
  /// The type of the context.
  typealias Context = UIViewControllerRepresentableContext<Self>

  /// Creates the view controller; called once, when the representable view enters the tree.
  func makeUIViewController(context: Context) -> UIViewControllerType

  /// Updates the view controller; called after its creation, and after a change of a value that the method has read.
  func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)

  /// Cleans up when the representable view leaves the tree; by default does nothing.
  static func dismantleUIViewController(_ uiViewController: UIViewControllerType, coordinator: Coordinator)

  /// Creates the coordinator, which lives as long as the view controller and can be its delegate.
  func makeCoordinator() -> Coordinator
}

extension UIViewControllerRepresentable {
  /// The view of the view controller.
  public var body: some View { RepresentedView(source: RepresentedController(representable: self)) }

  /// Does nothing.
  public static func dismantleUIViewController(
    _ uiViewController: UIViewControllerType,
    coordinator: Coordinator
  ) {}
}

extension UIViewControllerRepresentable where Coordinator == Void {
  /// Creates no coordinator.
  public func makeCoordinator() {}
}

/// The context of a ``UIViewControllerRepresentable``.
@MainActor @preconcurrency
public struct UIViewControllerRepresentableContext<Representable: UIViewControllerRepresentable> {
  /// The coordinator of the view.
  public let coordinator: Representable.Coordinator
  /// The environment of the view at the time of the call.
  public let environment: EnvironmentValues
}

/// A view controller as the content of a view.
private struct RepresentedController<Representable: UIViewControllerRepresentable>: RepresentedSource {
  let representable: Representable

  func makeCoordinator() -> Representable.Coordinator { representable.makeCoordinator() }

  func make(_ context: RepresentedContext<Representable.Coordinator>) -> Representable.UIViewControllerType {
    let controller = representable.makeUIViewController(context: Self.context(context))
    (controller as? UIImagePickerController)?.session = context.environment.session
    return controller
  }

  func update(
    _ object: Representable.UIViewControllerType,
    _ context: RepresentedContext<Representable.Coordinator>
  ) {
    representable.updateUIViewController(object, context: Self.context(context))
  }

  static func dismantle(
    _ object: Representable.UIViewControllerType,
    _ coordinator: Representable.Coordinator
  ) {
    Representable.dismantleUIViewController(object, coordinator: coordinator)
  }

  static func content(of object: Representable.UIViewControllerType) -> RepresentedContent {
    (object as? UIImagePickerController).map { .picker($0) } ?? .controller(object)
  }

  private static func context(_ context: RepresentedContext<Representable.Coordinator>)
    -> Representable.Context
  {
    Representable.Context(coordinator: context.coordinator, environment: context.environment)
  }
}
