// SPDX-License-Identifier: Apache-2.0

import SwiftUI

/// The controls of the booth, which the user touches.
struct BoothControls: View {
  /// The actions and the state of the booth.
  let booth: PortraitBooth

  /// The switch of the make-up, the shutter button, and the button for the profile photo.
  var body: some View {
    ZStack {
      HStack {
        Button("Make-up") { Task { await booth.toggleMakeup() } }
          .tint(booth.addsMakeup ? .yellow : .white)
        Spacer()
        Button("Use photo") { Task { await booth.updateProfilePhoto() } }
          .tint(booth.hasPortrait ? .white : .gray)
      }
      Button(action: booth.takePortrait) { Circle().fill(.white).frame(width: 64, height: 64) }
    }
    .padding()
  }
}
