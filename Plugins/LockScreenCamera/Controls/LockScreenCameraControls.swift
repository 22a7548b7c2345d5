// SPDX-License-Identifier: Apache-2.0

import LockScreenCamera
import WidgetKit

/// The controls of the app.
///
/// The program prints the member `controls` of `app.json`.
@main
struct LockScreenCameraControls: WidgetBundle {
  /// The only control.
  var body: some Widget { OpenCameraControl() }
}

/// The control that opens the camera.
struct OpenCameraControl: ControlWidget {
  /// A button with the intent of the app and the extension.
  var body: some ControlWidgetConfiguration {
    StaticControlConfiguration(kind: "org.darkroom.lockscreencamera.open") {
      ControlWidgetButton(action: OpenCameraIntent()) { Label("Camera", systemImage: "camera-photo") }
    }
    .displayName("Lock screen camera")
  }
}
