// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LockScreenCamera
import LockedCameraCapture

/// The photos of the app, in one directory for each session.
struct PhotoLibrary: Sendable {
  /// The record of the imported sessions, which prevents a second import after a crash.
  private let ledger: ImportLedger
  /// The app's access to the session content.
  private let manager = LockedCameraCaptureManager.shared

  /// Opens the library in a directory, which is created if it does not exist.
  ///
  /// - Throws: `LockedCameraCaptureError` if the directory cannot be created.
  init(directory: URL) throws { ledger = try ImportLedger(directory: directory) }

  /// Returns the user's library, `lockscreen-camera` below the XDG data directory.
  ///
  /// - Throws: `PhotoLibraryError` without the variables of the directory, or the error of ``init(directory:)``.
  static func standard() throws -> PhotoLibrary {
    let variables = ProcessInfo.processInfo.environment
    let data = variables["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    guard let parent = data ?? variables["HOME"].map({ "\($0)/.local/share" }) else {
      throw PhotoLibraryError.noHome
    }
    return try PhotoLibrary(
      directory: URL(filePath: "\(parent)/lockscreen-camera", directoryHint: .isDirectory)
    )
  }

  /// Imports all sessions that have ended, each of them once, and then deletes their content.
  ///
  /// - Parameter report: Receives a message about each imported session.
  /// - Throws: The error of the system call that failed; the content is then kept.
  func importSessions(_ report: @Sendable (String) -> Void) async throws {
    for content in manager.sessionContentURLs {
      guard let session = LockedCameraCaptureManager.sessionID(of: content) else { continue }
      try await ledger.importSession(session) { target in
        let count = try PhotoStorage(directory: target).copyPhotos(from: PhotoStorage(directory: content))
        report("imported photos: \(count)")
      }
      try await manager.invalidateSessionContent(at: content)
    }
  }

  /// Returns the imported photos of a session.
  func photos(of session: UUID) -> PhotoStorage { PhotoStorage(directory: ledger.location(of: session)) }
}

/// An error of the photo library.
enum PhotoLibraryError: Error, CustomStringConvertible {
  /// Neither `HOME` nor `XDG_DATA_HOME` is set.
  case noHome

  /// The error message with the fix.
  var description: String { "no directory for the app's photos; set HOME or XDG_DATA_HOME" }
}
