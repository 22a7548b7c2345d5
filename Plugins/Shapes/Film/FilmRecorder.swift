// SPDX-License-Identifier: Apache-2.0

import LockedCameraCapture

/// A recorder that starts and stops videos.
@MainActor
final class FilmRecorder {
  /// The video that is being recorded, or `nil` if there is none.
  private(set) var film: FilmFile?
  /// The session of this launch.
  private let session: LockedCameraCaptureSession
  /// The continuation that ends the recording when it is finished.
  private var ending: AsyncStream<Void>.Continuation?
  /// The number of recorded videos.
  private var count = 0

  /// Creates a recorder for a session.
  init(_ session: LockedCameraCaptureSession) { self.session = session }

  /// Starts a recording, or stops the current one.
  func toggle() throws {
    guard film == nil else { return stop() }
    count += 1
    let film = try FilmFile(in: session.sessionContentURL, name: "film-\(count)")
    let (wait, ending) = AsyncStream.makeStream(of: Void.self)
    self.film = film
    self.ending = ending
    Task { await record(film, until: wait) }
  }

  /// Stops the current recording, if there is one.
  func stop() {
    // Cleared first, so that no frame is appended to a file that is being closed.
    film = nil
    ending?.finish()
    ending = nil
  }

  /// Keeps the host from ending the session during a recording, until the file is closed.
  private func record(_ film: FilmFile, until wait: AsyncStream<Void>) async {
    do {
      try await session.withExpiringActivity(reason: "recording a film") {
        try await close(film, after: wait)
      }
    } catch {
      session.log(.error, "\(film.name) may end in the middle: \(error)")
    }
  }

  /// Closes the file after the recording has stopped.
  private func close(_ film: FilmFile, after wait: AsyncStream<Void>) async throws {
    for await _ in wait {}
    try film.close()
    session.log(.info, "closed \(film.name) with \(film.frames) frames")
  }
}
