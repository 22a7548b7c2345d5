// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LockedCameraCapture

/// Takes in what the capture extension has left: each session once, and then no more of it is kept elsewhere.
struct PortraitImporter {
  /// Where everything is kept.
  private let profile: Profile
  /// What says which sessions were taken in.
  private let ledger: ImportLedger
  /// The app's side of capture.
  private let manager = LockedCameraCaptureManager.shared

  /// Imports for a clown.
  init(_ profile: Profile) throws {
    self.profile = profile
    ledger = try ImportLedger(directory: profile.portraits)
  }

  /// Takes in what is there, and what comes as long as the task is not cancelled.
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

  /// Takes in one session; does nothing if that was done.
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
    if isNew { say("imported \(session.uuidString.lowercased())") }
  }
}
