// SPDX-License-Identifier: Apache-2.0

import CaptureImage
import FoundationEssentials
import LockedCameraCapture

/// Keeps its pictures in the photo library, and leaves its app a list of them.
@main
struct LibraryFirst: LockedCameraCaptureExtension {
  /// The viewfinder and its buttons.
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      let camera = LibraryCamera(session)
      return Viewfinder().onCameraCaptureEvent { event in
        guard event.phase == .began, event.button == .primary else { return }
        camera.takePicture()
      }
    }
  }
}

/// A camera that adds to the photo library.
@MainActor
final class LibraryCamera {
  /// The session of this launch.
  private let session: LockedCameraCaptureSession
  /// How many there were.
  private var count = 0
  /// What the app is left so far.
  private var manifest = Manifest()

  /// What the app finds in the session: which assets are from here, and which pictures the library did not take.
  private struct Manifest: Encodable {
    /// The identifiers of the assets.
    var assets: [String] = []
    /// Files beside the manifest.
    var files: [String] = []
  }

  /// Adds what a session sees.
  init(_ session: LockedCameraCaptureSession) { self.session = session }

  /// Takes a picture.
  ///
  /// The file is written first: whatever happens to the library, or in it, the picture is in the session until it is moved.
  func takePicture() {
    session.takePicture { [self] frame in
      count += 1
      let name = "IMG_\(count).jpg"
      let file = try session.writeContent(JPEGEncoder().encode(frame), to: name)
      Task { await add(file, name) }
    }
  }

  /// Moves a picture to the library, and notes where it is.
  private func add(_ file: URL, _ name: String) async {
    do {
      var placeholder: PHObjectPlaceholder?
      try await PHPhotoLibrary.shared().performChanges {
        let request = PHAssetCreationRequest.forAsset()
        let options = PHAssetResourceCreationOptions()
        options.originalFilename = name
        options.shouldMoveFile = true
        request.addResource(with: .photo, fileURL: file, options: options)
        placeholder = request.placeholderForCreatedAsset
      }
      if let placeholder { manifest.assets.append(placeholder.localIdentifier) }
    } catch {
      session.log(.notice, "\(name) stays in the session: \(error)")
      manifest.files.append(name)
    }
    do { try session.writeContent(Array(JSONEncoder().encode(manifest)), to: "manifest.json") } catch {
      session.log(.error, "\(error)")
    }
  }
}
