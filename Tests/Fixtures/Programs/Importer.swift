// SPDX-License-Identifier: Apache-2.0

import Foundation
import LockedCameraCapture

/// Moves captured content to the library, as a separate actor.
actor Importer {
  private let library: URL
  private var imported: Set<String> = []

  init(library: URL) { self.library = library }

  func run() async {
    for await update in LockedCameraCaptureManager.shared.sessionContentUpdates {
      switch update {
      case .initial(let urls): for url in urls { await importSession(at: url) }
      case .added(let url): await importSession(at: url)
      case .removed(let url): imported.remove(url.lastPathComponent)
      @unknown default: break
      }
    }
  }

  func importSession(at url: URL) async {
    guard imported.insert(url.lastPathComponent).inserted else { return }
    do {
      let data = try Data(contentsOf: url.appendingPathComponent("manifest.json"))
      for name in try JSONDecoder().decode([String].self, from: data) {
        let from = url.appendingPathComponent("Photos").appendingPathComponent(name)
        try FileManager.default.moveItem(at: from, to: library.appendingPathComponent(name))
      }
      let ids = try String(contentsOf: url.appendingPathComponent("ids.txt"), encoding: .utf8).split(
        separator: "\n"
      )
      let assets = PHAsset.fetchAssets(withLocalIdentifiers: ids.map(String.init), options: nil)
      guard assets.count == ids.count else { return }
      try await LockedCameraCaptureManager.shared.invalidateSessionContent(at: url)
    } catch {
      print("import failed: \(error.localizedDescription)")
    }
  }
}

@main
struct ImportingApp {
  static func main() async throws {
    LockedCameraCaptureManager.shared.beginDelayingAppearance()
    let importer = Importer(library: FileManager.default.temporaryDirectory)
    let first = Task { await importer.run() }
    let second = Task.detached {
      for await case .removed(let url) in LockedCameraCaptureManager.shared.sessionContentUpdates {
        print(url)
      }
    }
    LockedCameraCaptureManager.shared.endDelayingAppearance()
    guard await AVCaptureDevice.requestAccess(for: .video) else { return }
    AVCaptureDevice.requestAccess(for: .audio) { granted in print("microphone: \(granted)") }
    switch await PHPhotoLibrary.requestAuthorization(for: .readWrite) {
    case .notDetermined, .restricted, .denied: print("no photos")
    case .authorized: print("all photos")
    case .limited: print("some photos")
    @unknown default: print("something new")
    }
    await first.value
    second.cancel()
  }
}
