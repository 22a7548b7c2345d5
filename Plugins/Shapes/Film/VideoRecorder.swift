// SPDX-License-Identifier: Apache-2.0

import LockedCameraCapture

/// A recorder that starts and stops videos.
@MainActor
final class VideoRecorder {
  /// The video that is being recorded, or `nil` if there is none.
  private(set) var video: VideoFile?
  /// The session of this launch.
  private let session: LockedCameraCaptureSession
  /// The continuation that ends the recording when it is finished.
  private var stopContinuation: AsyncStream<Void>.Continuation?
  /// The number of recorded videos.
  private var count = 0

  /// Creates a recorder for a session.
  init(_ session: LockedCameraCaptureSession) { self.session = session }

  /// Starts a recording, or stops the current one.
  func toggle() throws {
    guard video == nil else { return stop() }
    count += 1
    let video = try VideoFile(in: session.sessionContentURL, name: "film-\(count)")
    let (stopSignal, stopContinuation) = AsyncStream.makeStream(of: Void.self)
    self.video = video
    self.stopContinuation = stopContinuation
    Task { await record(video, until: stopSignal) }
  }

  /// Stops the current recording, if there is one.
  func stop() {
    // Cleared first, so that no frame is appended to a file that is being closed.
    video = nil
    stopContinuation?.finish()
    stopContinuation = nil
  }

  /// Keeps the host from ending the session during a recording, until the file is closed.
  private func record(_ video: VideoFile, until stopSignal: AsyncStream<Void>) async {
    do {
      try await session.withExpiringActivity(reason: "recording a video") {
        try await close(video, after: stopSignal)
      }
    } catch {
      session.log(.error, "\(video.name) may be incomplete: \(error)")
    }
  }

  /// Closes the file after the recording has stopped.
  private func close(_ video: VideoFile, after stopSignal: AsyncStream<Void>) async throws {
    for await _ in stopSignal {}
    try video.close()
    session.log(.info, "closed \(video.name) with \(video.frames) frames")
  }
}
