// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LockedCameraCapture

/// The importer of portraits from the capture extension: it imports each session once and then deletes its
/// content.
struct PortraitImporter {
  /// The storage of the app.
  private let profile: Profile
  /// The record of the imported sessions.
  private let ledger: ImportLedger
  /// The app's access to the session content.
  private let manager = LockedCameraCaptureManager.shared

  /// Creates the importer of a user profile.
  init(_ profile: Profile) throws {
    self.profile = profile
    ledger = try ImportLedger(directory: profile.portraits)
  }

  /// Imports the existing sessions, and later ones until the task is canceled.
  func run() async throws {
    for await update in manager.sessionContentUpdates {
      switch update {
      case .initial(let urls): for url in urls { try await importSession(at: url) }
      case .added(let url): try await importSession(at: url)
      case .removed: break
      @unknown default: break
      }
    }
  }

  /// Imports a session, unless it was imported before.
  func importSession(at content: URL) async throws {
    guard let session = LockedCameraCaptureManager.sessionID(of: content) else { return }
    let isNew = try await ledger.importSession(session) { target in
      let files = FileManager.default
      for name in try files.contentsOfDirectory(atPath: content.path(percentEncoded: false)) {
        guard name.hasSuffix(".jpg") else { continue }
        try files.copyItem(at: content.appending(path: name), to: target.appending(path: name))
      }
    }
    try await manager.invalidateSessionContent(at: content)
    if isNew { printLine("imported \(session.uuidString.lowercased())") }
  }
}
