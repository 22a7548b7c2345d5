// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

extension AVCaptureSession {
  /// Whether the camera was started, by this object, by another one or by a ``Viewfinder``, and not stopped
  /// since.
  public var isRunning: Bool { CurrentSession.isCameraRunning }

  /// Starts the delivery of frames, and waits for the reply of the host.
  ///
  /// If the host refuses, ``isRunning`` is `false` afterwards, and the session log contains the reason. On a
  /// thread other than the main thread, the call also waits for the main thread.
  public func startRunning() {
    inSession { session in
      guard session.runtime.delivery == nil else { return }
      do { try session.startCamera() } catch { session.log(.error, "the camera did not start: \(error)") }
    }
  }

  /// Stops the delivery of frames, and waits for the reply of the host.
  ///
  /// On a thread other than the main thread, the call also waits for the main thread.
  public func stopRunning() {
    inSession { session in
      guard session.runtime.delivery != nil else { return }
      do { try session.stopCamera() } catch { session.log(.error, "the camera did not stop: \(error)") }
    }
  }

  /// Runs `body` with the session of this process on the main thread, and waits for it; does nothing without
  /// a session.
  private func inSession(_ body: @MainActor @Sendable (LockedCameraCaptureSession) -> Void) {
    guard let session = CurrentSession.session else { return }
    if CurrentSession.isInMainQueue {
      MainActor.assumeIsolated { body(session) }
    } else {
      DispatchQueue.main.sync { MainActor.assumeIsolated { body(session) } }
    }
  }
}
