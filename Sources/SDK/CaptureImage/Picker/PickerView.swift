// SPDX-License-Identifier: Apache-2.0

internal import LockedCameraCapture

/// The viewfinder of a picker, with a picture for each press of a capture button.
struct PickerView<Representable: UIViewControllerRepresentable>: CaptureView {
  let representable: Representable
  @Environment(\.self) private var environment
  @State private var owner = PickerOwner<Representable>()

  var body: some CaptureView {
    // The handler keeps the owner alive, and with it the coordinator, which the picker does not retain.
    let owner = owner
    owner.createPicker(of: representable, in: environment)
    return Viewfinder()
      .onCameraCaptureEvent { event in
        // A cancelled press takes no picture.
        if event.phase == .ended { owner.picker?.takePicture() }
      }
  }
}

/// The owner of a picker and its coordinator.
@MainActor
final class PickerOwner<Representable: UIViewControllerRepresentable> {
  /// The picker, or `nil` until it is created.
  private(set) var picker: Representable.UIViewControllerType?
  /// The coordinator, or `nil` until the picker is created.
  private var coordinator: Representable.Coordinator?

  /// Creates the picker and its coordinator, unless they exist.
  func createPicker(of representable: Representable, in environment: EnvironmentValues) {
    guard picker == nil else { return }
    let coordinator = representable.makeCoordinator()
    let context = Representable.Context(coordinator: coordinator, environment: environment)
    let picker = representable.makeUIViewController(context: context)
    picker.session = environment.session
    representable.updateUIViewController(picker, context: context)
    self.picker = picker
    self.coordinator = coordinator
  }
}
