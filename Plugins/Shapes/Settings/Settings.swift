// SPDX-License-Identifier: Apache-2.0

import CaptureImage
import LockedCameraCapture
import ShapesShared

/// Takes pictures in the style that the user has chosen, in the extension or in the app.
@main
struct Settings: LockedCameraCaptureExtension {
  /// The scene with the viewfinder and its buttons.
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      let camera = LookCamera(session)
      return Viewfinder().onCameraCaptureEvent(
        primaryAction: { event in if event.phase == .began { camera.takePicture() } },
        secondaryAction: { event in if event.phase == .began { Task { await camera.toggleGrey() } } }
      )
      .task { for await look in LookIntent.settings.updates { camera.look = look } }
    }
  }
}

/// A camera that applies the chosen style to its pictures.
@MainActor
final class LookCamera {
  /// The current style.
  var look: LookSettings
  /// The session of this launch.
  private let session: LockedCameraCaptureSession
  /// The number of pictures.
  private var count = 0

  /// Creates a camera with the stored settings, which the host has sent with the launch.
  init(_ session: LockedCameraCaptureSession) {
    self.session = session
    look = ((try? session.appContext(LookSettings.self)) ?? nil) ?? LookSettings()
  }

  /// Takes a picture.
  func takePicture() {
    session.takePicture { [self] frame in
      var picture = EditablePicture(frame)
      if look.isGrey { picture.removeColour() }
      count += 1
      try session.writeContent(JPEGEncoder(quality: look.quality).encode(picture), to: "picture-\(count).jpg")
    }
  }

  /// Toggles the gray style, and stores the setting for the app and later sessions.
  func toggleGrey() async {
    do {
      look = try await LookIntent.settings.update { $0.isGrey.toggle() }
      session.log(.info, "images are \(look.isGrey ? "grey" : "coloured")")
    } catch {
      session.log(.error, "the settings cannot be stored: \(error)")
    }
  }
}

extension EditablePicture {
  /// Sets every sample of both chroma planes to the neutral value.
  mutating func removeColour() {
    for plane in [CaptureFrame.Plane.blue, .red] {
      let layout = layout(of: plane)
      for row in 0..<layout.height {
        for column in 0..<layout.width { self[plane, column: column, row: row] = 128 }
      }
    }
  }
}
