// SPDX-License-Identifier: Apache-2.0

import Foundation
import LockedCameraCapture

/// A capture extension with all of Foundation, whose main thread runs timers and waits for a queue.
@main
struct FoundationExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      let work = MainThreadWork(session)
      return Viewfinder()
        .onCameraCaptureEvent { event in
          guard event.phase == .began else { return }
          work.restartCamera()
        }
        .onAppear { work.start() }
    }
  }
}

/// The work of the main thread.
@MainActor
final class MainThreadWork {
  private let session: LockedCameraCaptureSession
  private let camera = AVCaptureSession()
  private let queue = DispatchQueue(label: "camera")
  private var timer: Timer?
  private var ticks = 0

  init(_ session: LockedCameraCaptureSession) { self.session = session }

  /// Prints a line, and schedules a block and a timer.
  func start() {
    print("a printed line")
    RunLoop.main.perform { [session] in
      MainActor.assumeIsolated { session.log(.info, "block") }
    }
    timer = Timer.scheduledTimer(withTimeInterval: 0.02, repeats: true) { [self] _ in
      MainActor.assumeIsolated { tick() }
    }
  }

  /// Logs the number of the tick. The third tick is the last one, and restarts the camera.
  private func tick() {
    ticks += 1
    session.log(.info, "tick \(ticks)")
    guard ticks == 3 else { return }
    timer?.invalidate()
    restartCamera()
  }

  /// Restarts the camera on a queue, and waits for the queue.
  func restartCamera() {
    queue.async { [camera] in
      camera.stopRunning()
      camera.startRunning()
    }
    queue.sync {}
    session.log(.info, "restarted \(camera.isRunning)")
  }
}
