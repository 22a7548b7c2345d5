// SPDX-License-Identifier: Apache-2.0

import Glibc
import LockedCameraCapture

/// A Swift extension that uses the whole library and can be prewarmed. It records when its own code receives
/// the session.
@main
struct Waiting: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      let line = "heard \(time.tv_sec * 1_000_000_000 + time.tv_nsec)\n"
      _ = try? session.writeContent(Array(line.utf8), to: "result")
      return Viewfinder().onCameraCaptureEvent { _ in }
    }
  }
}
