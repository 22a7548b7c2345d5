// SPDX-License-Identifier: Apache-2.0

import Foundation
import LockedCameraCapture

@main
struct PhotoExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      PhotoView(session: session)
    }
  }
}

/// The model of the extension; the view is a separate type.
@MainActor
final class CaptureModel: NSObject, PHPhotoLibraryChangeObserver {
  let session: LockedCameraCaptureSession
  private(set) var names: [String] = []

  init(session: LockedCameraCaptureSession) {
    self.session = session
    super.init()
    PHPhotoLibrary.shared().register(self)
  }

  nonisolated func photoLibraryDidChange(_ changeInstance: PHChange) {
    Task { @MainActor in print("\(names.count)") }
  }

  func write(_ data: Data) throws {
    let folder = session.sessionContentURL.appendingPathComponent("Photos", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let name = "\(UUID().uuidString).jpg"
    try data.write(to: folder.appendingPathComponent(name), options: [.atomic, .completeFileProtection])
    names.append(name)
    try JSONEncoder().encode(names).write(to: session.sessionContentURL.appending(path: "manifest.json"))
  }

  func save(_ data: Data, raw: Data?) async throws -> String? {
    guard await PHPhotoLibrary.requestAuthorization(for: .addOnly) == .authorized else { return nil }
    var placeholder: PHObjectPlaceholder?
    do {
      try await PHPhotoLibrary.shared().performChanges {
        let request = PHAssetCreationRequest.forAsset()
        let options = PHAssetResourceCreationOptions()
        options.originalFilename = "IMG_0001.JPG"
        request.addResource(with: .photo, data: data, options: options)
        if let raw { request.addResource(with: .alternatePhoto, data: raw, options: nil) }
        request.creationDate = Date()
        placeholder = request.placeholderForCreatedAsset
      }
    } catch PHPhotosError.accessUserDenied, PHPhotosError.accessRestricted {
      return nil
    } catch let error as PHPhotosError where error.code == .notEnoughSpace {
      try await session.invalidateSessionContent()
    }
    return placeholder?.localIdentifier
  }

  nonisolated func saveFromAnywhere(_ url: URL) {
    PHPhotoLibrary.requestAuthorization { status in
      guard status == .authorized else { return }
      PHPhotoLibrary.shared().performChanges(
        {
          let options = PHAssetResourceCreationOptions()
          options.shouldMoveFile = true
          PHAssetCreationRequest.forAsset().addResource(with: .video, fileURL: url, options: options)
        },
        completionHandler: { success, error in
          print("\(success) \(error?.localizedDescription ?? "")")
        }
      )
    }
  }

  nonisolated func newest() async throws -> URL? {
    let options = PHFetchOptions()
    options.sortDescriptors = [SortDescriptor(\PHAsset.creationDate, order: .reverse)]
    options.fetchLimit = 1
    let assets = PHAsset.fetchAssets(with: .image, options: options)
    assets.enumerateObjects { asset, _, stop in
      print(asset.localIdentifier)
      stop.pointee = true
    }
    guard let asset = assets.firstObject, let file = PHAssetResource.assetResources(for: asset).first else {
      return nil
    }
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(file.originalFilename)
    try await PHAssetResourceManager.default().writeData(for: file, toFile: url, options: nil)
    return url
  }

  nonisolated func forget(_ assets: [PHAsset]) async throws {
    try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest.deleteAssets(assets as NSArray) }
  }

  func openApp() {
    Task {
      do {
        let activity = NSUserActivity(activityType: NSUserActivityTypeLockedCameraCapture)
        activity.title = "Edit"
        activity.userInfo = [
          "action": "edit", "names": names, "count": names.count, "ratio": 0.5, "flag": true,
          "when": Date(timeIntervalSince1970: 12.5), "blob": Data([1, 2, 3]),
          "nested": ["a": [1, 2], "b": "c"] as [String: Any],
        ]
        activity.addUserInfoEntries(from: ["page": URL(string: "https://example.org/x") as Any])
        activity.targetContentIdentifier = "edit"
        activity.webpageURL = URL(string: "https://example.org/edit")
        activity.requiredUserInfoKeys = ["action"]
        try await session.openApplication(for: activity)
      } catch LockedCameraCaptureSession.ApplicationLaunchError.authenticationFailed {
        print("not unlocked")
      } catch let error as LockedCameraCaptureSession.ApplicationLaunchError {
        switch error {
        case .applicationNotFound, .authenticationFailed: print(error.errorCode)
        case .unknown: print(error.failureReason ?? "")
        @unknown default: print(error.localizedDescription)
        }
      } catch {
        print("Unable to open app - \(error.localizedDescription)")
      }
    }
  }
}

struct PhotoView: View {
  @State private var isPressed = false
  let model: CaptureModel

  init(session: LockedCameraCaptureSession) { model = CaptureModel(session: session) }

  var body: some View {
    Viewfinder()
      .interaction(
        AVCaptureEventInteraction(
          primary: { [model] event in
            switch event.phase {
            case .began: isPressed = true
            case .cancelled: isPressed = false
            case .ended: try? model.write(Data("light".utf8))
            @unknown default: break
            }
          },
          secondary: { [model] event in
            guard event.phase == .began else { return }
            model.openApp()
          }
        )
      )
  }
}
