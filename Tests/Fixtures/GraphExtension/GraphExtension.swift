// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import AVKit

/// A capture extension that uses the capture graph: the first press takes a photo, the second one starts a movie, and
/// the third one ends it. The secondary button terminates the process.
@main
struct GraphExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      let camera = GraphCamera(session)
      return EmptyView()
        .onCameraCaptureEvent(
          primaryAction: { event in if event.phase == .began { camera.press() } },
          secondaryAction: { _ in kill(getpid(), SIGKILL) }
        )
        .onAppear { camera.start() }
    }
  }
}
