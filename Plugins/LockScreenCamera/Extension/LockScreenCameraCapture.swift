// SPDX-License-Identifier: Apache-2.0

import LockScreenCamera
import SwiftUI

/// The camera on the lock screen, a capture extension.
@main
struct LockScreenCameraCapture: LockedCameraCaptureExtension {
  /// The scene with the camera and its controls.
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      // The host has sent the settings with the launch, so that they apply to the first photo.
      let settings = (try? session.appContext(CameraSettings.self)) ?? CameraSettings()
      return CameraScreen(camera: CameraModel(PhotoStorage(session), settings: settings))
        .environment(\.openMainApp, OpenMainAppAction(session))
    }
  }
}
