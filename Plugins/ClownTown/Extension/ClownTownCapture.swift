// SPDX-License-Identifier: Apache-2.0

import ClownTown
import LockedCameraCapture

/// The portrait booth of ClownTown, at the lock screen.
@main
struct ClownTownCapture: LockedCameraCaptureExtension {
  /// The viewfinder and its buttons.
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      PortraitView(booth: PortraitBooth(session))
    }
  }
}

/// The viewfinder, with the make-up over it, and what the buttons do.
///
/// The shutter takes a portrait. The other button puts make-up on and off; held for a second, it makes the last
/// portrait the profile photo, for which the app is opened.
struct PortraitView: View {
  /// What the buttons do.
  let booth: PortraitBooth

  /// The views and their buttons.
  var body: some View {
    ZStack {
      Viewfinder()
      Overlay { canvas in
        guard booth.addsMakeup else { return }
        for spot in ClownMakeup(width: canvas.width, height: canvas.height).spots {
          for row in spot.rows { canvas.fill(row, spot.color) }
        }
      }
    }
    .onCameraCaptureEvent(
      primaryAction: { event in if event.phase == .began { booth.takePortrait() } },
      secondaryAction: { event in booth.secondaryButton(event.phase) }
    )
    .task { await booth.readContext() }
  }
}
