// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// A view that shows a view controller; SwiftUI's protocol for the only view controller of this library,
/// ``UIImagePickerController``.
@MainActor @preconcurrency
public protocol UIViewControllerRepresentable: CaptureView {
  /// The type of the view controller.
  associatedtype UIViewControllerType: UIImagePickerController
  /// The type of the coordinator.
  associatedtype Coordinator = Void
  /// The type of the context.
  typealias Context = UIViewControllerRepresentableContext<Self>

  /// Creates the view controller; called once, when the view is shown.
  func makeUIViewController(context: Context) -> UIViewControllerType

  /// Updates the view controller; called after its creation.
  func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)

  /// Creates the coordinator, which lives as long as the view and can be the delegate of the controller.
  func makeCoordinator() -> Coordinator
}

extension UIViewControllerRepresentable where Coordinator == Void {
  /// Creates no coordinator.
  public func makeCoordinator() {}
}

extension UIViewControllerRepresentable {
  /// The interface of the view controller.
  public var body: some CaptureView { PickerView(representable: self) }
}

/// The context of a ``UIViewControllerRepresentable``.
@MainActor @preconcurrency
public struct UIViewControllerRepresentableContext<Representable: UIViewControllerRepresentable> {
  /// The coordinator of the view.
  public let coordinator: Representable.Coordinator
  /// The environment of the view at the time of the call.
  public let environment: EnvironmentValues
}
