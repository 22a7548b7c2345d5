// SPDX-License-Identifier: Apache-2.0

import ClownTown
import SwiftUI

/// The portrait booth of ClownTown, a capture extension.
@main
struct ClownTownCapture: LockedCameraCaptureExtension {
  /// The scene with the viewfinder and its buttons.
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      PortraitView(booth: PortraitBooth(session))
    }
  }
}

/// The viewfinder with the make-up, the controls, and the handlers of the machine's buttons.
///
/// The shutter button takes a portrait. The secondary button toggles the make-up; held for a second, it opens
/// the app to make the last portrait the profile photo. The controls have the same actions.
struct PortraitView: View {
  /// The actions of the buttons.
  let booth: PortraitBooth

  /// The viewfinder, the overlay with the make-up, and the controls.
  var body: some View {
    ZStack {
      Viewfinder()
      Overlay { canvas in
        guard booth.addsMakeup else { return }
        for spot in ClownMakeup(width: canvas.width, height: canvas.height).spots {
          for row in spot.rows { canvas.fill(row, spot.color) }
        }
      }
      BoothControls(booth: booth).frame(maxHeight: .infinity, alignment: .bottom)
    }
    .onCameraCaptureEvent(
      primaryAction: { event in if event.phase == .began { booth.takePortrait() } },
      secondaryAction: { event in booth.secondaryButton(event.phase) }
    )
  }
}
