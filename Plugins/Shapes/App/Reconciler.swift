// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import LockedCameraCapture

/// Makes the app's own index agree with what its extension has added to the photo library.
///
/// A session is given away only when the app knows every asset and has every file of its manifest. If one is missing, as
/// long as the library is not there for example, the rest is taken all the same and the session stays for the next time.
struct Reconciler {
  /// What the extension has left.
  private struct Manifest: Decodable {
    let assets: [String]
    let files: [String]
  }

  /// The app's own directory.
  private let library: URL
  /// The app's side of capture.
  private let manager = LockedCameraCaptureManager.shared
  /// The way to the files.
  private let files = FileManager.default

  /// Prepares the app's own directory.
  init(library: URL) throws {
    self.library = library
    try files.createDirectory(at: library, withIntermediateDirectories: true)
  }

  /// Reconciles every session that is there, and says what it does.
  func reconcileAll(_ report: @Sendable (String) -> Void) async throws {
    for content in manager.sessionContentURLs {
      guard let session = LockedCameraCaptureManager.sessionID(of: content),
        let data = try? Data(contentsOf: content.appending(path: "manifest.json"))
      else { continue }
      let manifest = try JSONDecoder().decode(Manifest.self, from: data)
      var missing = 0
      for asset in manifest.assets {
        if Self.isInPhotoLibrary(asset) { try note(asset) } else { missing += 1 }
      }
      for name in manifest.files { try keep(content.appending(path: name), as: "\(session)-\(name)") }
      if missing == 0 {
        sync()
        try await manager.invalidateSessionContent(at: content)
        report("reconciled \(session)")
      } else {
        report("kept \(session): \(missing) of its assets are not in the photo library")
      }
    }
  }

  /// Whether the person's library has an asset.
  private static func isInPhotoLibrary(_ asset: String) -> Bool {
    // It comes from the extension, and goes to a shell.
    guard asset.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else { return false }
    guard let command = popen("darkroom photos show '\(asset)' >/dev/null 2>&1", "r") else { return false }
    return pclose(command) == 0
  }

  /// Puts an asset into the index, once: its entry is an empty file with its name.
  private func note(_ asset: String) throws {
    let entry = library.appending(path: "asset-\(asset)")
    if !files.fileExists(atPath: entry.path(percentEncoded: false)) { try Data().write(to: entry) }
  }

  /// Takes a picture that the photo library did not.
  private func keep(_ file: URL, as name: String) throws {
    guard !name.contains("/") else { return }
    try Data(contentsOf: file).write(to: library.appending(path: name), options: .atomic)
  }
}
