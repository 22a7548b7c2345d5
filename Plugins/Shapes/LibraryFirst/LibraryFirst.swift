// SPDX-License-Identifier: Apache-2.0

import CaptureImage
import FoundationEssentials
import LockedCameraCapture

/// Adds its pictures to the photo library, and writes a list of them for its app.
@main
struct LibraryFirst: LockedCameraCaptureExtension {
  /// The scene with the viewfinder and its buttons.
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

/// A camera that adds pictures to the photo library.
@MainActor
final class LibraryCamera {
  /// The session of this launch.
  private let session: LockedCameraCaptureSession
  /// The number of pictures.
  private var pictureCount = 0
  /// The current contents of the manifest.
  private var manifest = Manifest()

  /// The manifest for the app: the assets of this session, and the pictures that the library rejected.
  private struct Manifest: Encodable {
    /// The identifiers of the assets.
    var assets: [String] = []
    /// The names of the files in the session content.
    var files: [String] = []
  }

  /// Creates a camera for a session.
  init(_ session: LockedCameraCaptureSession) { self.session = session }

  /// Takes a picture.
  ///
  /// The file is written first: if the library fails, the picture remains in the session content.
  func takePicture() {
    session.takePicture { [self] frame in
      pictureCount += 1
      let name = "IMG_\(pictureCount).jpg"
      let file = try session.writeContent(JPEGEncoder().encode(frame), to: name)
      Task { await add(file, name) }
    }
  }

  /// Moves a picture to the library, and records its location in the manifest.
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
