// SPDX-License-Identifier: Apache-2.0

import CaptureImage
import LockedCameraCapture
import ShapesShared

/// Takes pictures that look as the person has chosen, here or in the app.
@main
struct Settings: LockedCameraCaptureExtension {
  /// The viewfinder and its buttons.
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

/// A camera whose pictures look as they are wanted.
@MainActor
final class LookCamera {
  /// How pictures are to look now.
  var look: LookSettings
  /// The session of this launch.
  private let session: LockedCameraCaptureSession
  /// How many there were.
  private var count = 0

  /// Begins with what was chosen last: the host has sent it with the launch, so that nobody waits for it.
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

  /// Takes colour away, or gives it back, for the app and the next session, too.
  func toggleGrey() async {
    do {
      look = try await LookIntent.settings.update { $0.isGrey.toggle() }
      session.log(.info, "pictures are \(look.isGrey ? "grey" : "coloured")")
    } catch {
      session.log(.error, "the settings were not kept: \(error)")
    }
  }
}

extension EditablePicture {
  /// Makes every sample of both colour planes the one that means grey.
  mutating func removeColour() {
    for plane in [CaptureFrame.Plane.blue, .red] {
      let layout = layout(of: plane)
      for row in 0..<layout.height {
        for column in 0..<layout.width { self[plane, column: column, row: row] = 128 }
      }
    }
  }
}
