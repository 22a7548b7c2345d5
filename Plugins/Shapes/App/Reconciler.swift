// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import LockedCameraCapture

/// Updates the app's index from the assets that its extension has added to the photo library.
///
/// The content of a session is deleted only when the app has recorded every asset and copied every file of
/// the session's manifest. If an asset is missing, for example while the library is unavailable, the rest is
/// imported and the session is kept.
struct Reconciler {
  /// The manifest that the extension has written.
  private struct Manifest: Decodable {
    let assets: [String]
    let files: [String]
  }

  /// The directory of the app.
  private let library: URL
  /// The app's access to the session content.
  private let manager = LockedCameraCaptureManager.shared
  private let files = FileManager.default

  /// Prepares the directory of the app.
  init(library: URL) throws {
    self.library = library
    try files.createDirectory(at: library, withIntermediateDirectories: true)
  }

  /// Reconciles all sessions and reports the progress.
  func reconcileAll(_ report: @Sendable (String) -> Void) async throws {
    for content in manager.sessionContentURLs {
      guard let session = LockedCameraCaptureManager.sessionID(of: content),
        let data = try? Data(contentsOf: content.appending(path: "manifest.json"))
      else { continue }
      let manifest = try JSONDecoder().decode(Manifest.self, from: data)
      var missing = 0
      for asset in manifest.assets {
        if Self.isInPhotoLibrary(asset) { try recordAsset(asset) } else { missing += 1 }
      }
      for name in manifest.files { try saveFile(content.appending(path: name), as: "\(session)-\(name)") }
      if missing == 0 {
        sync()
        try await manager.invalidateSessionContent(at: content)
        report("reconciled \(session)")
      } else {
        report("kept \(session): \(missing) of its assets are not in the photo library")
      }
    }
  }

  /// Returns whether the user's photo library contains an asset.
  private static func isInPhotoLibrary(_ asset: String) -> Bool {
    // The identifier is input from the extension and becomes part of a shell command.
    guard asset.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else { return false }
    guard let command = popen("darkroom photos show '\(asset)' >/dev/null 2>&1", "r") else { return false }
    return pclose(command) == 0
  }

  /// Adds an asset to the index; its entry is an empty file with its name.
  private func recordAsset(_ asset: String) throws {
    let entry = library.appending(path: "asset-\(asset)")
    if !files.fileExists(atPath: entry.path(percentEncoded: false)) { try Data().write(to: entry) }
  }

  /// Copies a picture that the photo library rejected.
  private func saveFile(_ file: URL, as name: String) throws {
    guard !name.contains("/") else { return }
    try Data(contentsOf: file).write(to: library.appending(path: name), options: .atomic)
  }
}
