// SPDX-License-Identifier: Apache-2.0

import LockScreenCamera
import SwiftUI

/// The buttons for the settings.
struct SettingsBar: View {
  /// The camera whose settings the buttons change.
  let camera: CameraModel

  /// A button for each setting, yellow if the setting is on.
  var body: some View {
    HStack {
      Button("Mirror") { camera.change { $0.isMirrored.toggle() } }
        .tint(camera.settings.isMirrored ? .yellow : .white)
      Spacer()
      Button("Grid") { camera.change { $0.showsGrid.toggle() } }
        .tint(camera.settings.showsGrid ? .yellow : .white)
    }
    .padding()
    .background(.ultraThinMaterial)
  }
}

/// The shutter button, the number of photos, and the button that opens the app.
struct CaptureBar: View {
  /// The camera that takes the photos.
  let camera: CameraModel
  @Environment(\.openMainApp) private var openMainApp

  /// The three parts; the shutter button is in the center.
  var body: some View {
    ZStack {
      HStack {
        Label("\(camera.photoCount)", systemImage: "photo")
        Spacer()
        Button("Open app", action: openApp).tint(.white)
      }
      Button(action: camera.takePhoto) {
        Circle().fill(.white).frame(width: 64, height: 64)
      }
    }
    .padding()
  }

  /// Opens the app to show the last photo.
  private func openApp() {
    let request = ShowPhoto(name: camera.lastPhoto)
    Task {
      do { try await openMainApp(request) } catch { camera.report("The app was not opened", error) }
    }
  }
}
