// SPDX-License-Identifier: Apache-2.0

import LockScreenCamera
import SwiftUI

/// The viewfinder with the controls of the camera.
struct CameraScreen: View {
  /// The camera, which lives as long as the view.
  @State private var camera: CameraModel

  /// Creates the screen of a camera.
  init(camera: CameraModel) { _camera = State(initialValue: camera) }

  /// The viewfinder, and the bars above and below its center.
  var body: some View {
    ZStack {
      Viewfinder()
      if camera.settings.showsGrid { GridLines().stroke(.white.opacity(0.7), lineWidth: 2) }
      VStack {
        SettingsBar(camera: camera)
        Spacer()
        CaptureBar(camera: camera)
      }
    }
    .onPressCapture { camera.takePhoto() }
    .onAppear { camera.start() }
    .task { await camera.followSettings() }
    .alert(camera.failure ?? "", isPresented: isFailureShown) { Button("OK", role: .cancel) {} }
  }

  /// Whether the message about a failure is shown; hiding the message removes it.
  private var isFailureShown: Binding<Bool> {
    Binding(get: { camera.failure != nil }, set: { if !$0 { camera.failure = nil } })
  }
}

extension View {
  /// Performs an action when the user presses a capture button of the machine.
  func onPressCapture(_ action: @escaping () -> Void) -> some View {
    onCameraCaptureEvent { event in if event.phase == .began { action() } }
  }
}

/// Lines that divide the viewfinder into thirds.
struct GridLines: Shape {
  func path(in rect: CGRect) -> Path {
    Path { path in
      for share in [1.0 / 3, 2.0 / 3] {
        let (x, y) = (rect.minX + rect.width * share, rect.minY + rect.height * share)
        path.addLines([CGPoint(x: x, y: rect.minY), CGPoint(x: x, y: rect.maxY)])
        path.addLines([CGPoint(x: rect.minX, y: y), CGPoint(x: rect.maxX, y: y)])
      }
    }
  }
}
