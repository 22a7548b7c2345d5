// SPDX-License-Identifier: Apache-2.0

import LockedCameraCapture

/// Begins films and ends them.
@MainActor
final class FilmRecorder {
  /// The film that is being recorded; nil: none.
  private(set) var film: FilmFile?
  /// The session of this launch.
  private let session: LockedCameraCaptureSession
  /// Ends the wait of the film's activity.
  private var ending: AsyncStream<Void>.Continuation?
  /// How many there were.
  private var count = 0

  /// Records what a session sees.
  init(_ session: LockedCameraCaptureSession) { self.session = session }

  /// Begins a film, or ends the one that is being recorded.
  func toggle() throws {
    guard film == nil else { return stop() }
    count += 1
    let film = try FilmFile(in: session.sessionContentURL, name: "film-\(count)")
    let (wait, ending) = AsyncStream.makeStream(of: Void.self)
    self.film = film
    self.ending = ending
    Task { await record(film, until: wait) }
  }

  /// Ends the film that is being recorded, if there is one.
  func stop() {
    // No frame goes into a film that is being closed.
    film = nil
    ending?.finish()
    ending = nil
  }

  /// Keeps the host from ending the session in the middle of a film: from its first frame until it is closed.
  private func record(_ film: FilmFile, until wait: AsyncStream<Void>) async {
    do {
      try await session.withExpiringActivity(reason: "recording a film") {
        try await close(film, after: wait)
      }
    } catch {
      session.log(.error, "\(film.name) may end in the middle: \(error)")
    }
  }

  /// Closes a film when it is ended.
  private func close(_ film: FilmFile, after wait: AsyncStream<Void>) async throws {
    for await _ in wait {}
    try film.close()
    session.log(.info, "closed \(film.name) with \(film.frames) frames")
  }
}
