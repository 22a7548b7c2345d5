// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

extension AVCaptureSession {
  /// Whether frames were asked for and not stopped since, by this object, another one, or a ``Viewfinder``.
  public var isRunning: Bool { CurrentSession.isCameraRunning }

  /// Lets frames flow, and waits until the host has said so; ``isRunning`` is false afterwards if it has refused, and the
  /// session's log says why.
  ///
  /// In another thread than the main one it waits for that.
  public func startRunning() {
    inSession { session in
      guard session.runtime.delivery == nil else { return }
      do { try session.startCamera() } catch { session.log(.error, "the camera did not start: \(error)") }
    }
  }

  /// Lets no more frames flow, and waits until the host has said so.
  ///
  /// In another thread than the main one it waits for that.
  public func stopRunning() {
    inSession { session in
      guard session.runtime.delivery != nil else { return }
      do { try session.stopCamera() } catch { session.log(.error, "the camera did not stop: \(error)") }
    }
  }

  /// Does something with the session of this process in the main thread, and waits for it.
  private func inSession(_ body: @MainActor @Sendable (LockedCameraCaptureSession) -> Void) {
    guard let session = CurrentSession.session else { return }
    if CurrentSession.isInMainQueue {
      MainActor.assumeIsolated { body(session) }
    } else {
      DispatchQueue.main.sync { MainActor.assumeIsolated { body(session) } }
    }
  }
}
