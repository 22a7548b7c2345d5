// SPDX-License-Identifier: Apache-2.0

/// An object that receives the frames, the sound and the events of a session as long as the object exists.
///
/// The errors of all functions are logged.
package protocol SessionObserver: AnyObject {
  /// Receives a frame. Its pixels are valid only during the call.
  @MainActor func receive(_ frame: borrowing CaptureFrame, of session: LockedCameraCaptureSession) throws
  /// Receives a block of sound.
  @MainActor func receive(_ sound: SoundBlock) throws
  /// Reacts to an event of the session.
  @MainActor func handleEvent(of session: LockedCameraCaptureSession) throws
  /// Completes its work before the session ends.
  @MainActor func finishWork() async throws
}

extension SessionObserver {
  /// Does nothing.
  @MainActor package func receive(_ frame: borrowing CaptureFrame, of session: LockedCameraCaptureSession) {}
  /// Does nothing.
  @MainActor package func receive(_ sound: SoundBlock) {}
  /// Does nothing.
  @MainActor package func finishWork() async {}
}

extension LockedCameraCaptureSession {
  /// Passes frames, sound and events to an observer from now on. The session does not retain it.
  @MainActor
  package func add(_ observer: any SessionObserver) {
    runtime.handlers.observations.removeAll { $0.observer == nil }
    runtime.handlers.observations.append(SessionHandlers.Observation(observer: observer, session: self))
  }
}

extension SessionHandlers {
  /// An observer and the session, which are not retained.
  struct Observation {
    weak var observer: (any SessionObserver)?
    weak var session: LockedCameraCaptureSession?
  }
}

extension SessionRuntime {
  /// Calls `body` with each observer, in the order in which they were added, and logs its errors.
  func forEachObserver(_ body: (any SessionObserver, LockedCameraCaptureSession) throws -> Void) {
    for observation in handlers.observations {
      guard let observer = observation.observer, let session = observation.session else { continue }
      attempt { try body(observer, session) }
    }
  }
}
