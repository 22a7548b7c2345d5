// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LockedCameraCapture

/// The app context. `task` names the requests that the extension sends.
struct ConformanceContext: Codable, Sendable {
  var flash: String
  var count: Int
  var task: String?
}

/// The intent by which the extension exchanges the context.
struct ConformanceIntent: CameraCaptureIntent {
  typealias AppContext = ConformanceContext
  static let title: LocalizedStringResource = "Conformance"

  func perform() async throws -> some IntentResult { .result() }
}

extension ConformanceSubject {
  /// Performs the task of an app context.
  func perform(_ task: String) async throws {
    switch task {
    case "activity": try await performActivity()
    case "controls": controls.declare()
    case "dismiss": try session.dismiss()
    case "enlarge": enlargeContext()
    case "erase":
      try await session.invalidateSessionContent()
      log("erased")
    case "exchange": try await exchangeContext()
    case "listen": try session.startMicrophone(.every)
    case "log": logTexts()
    case "open": try await openApp()
    case "photos": try await usePhotos()
    case "pointer":
      session.onPointerEvent { [self] event in
        let position = "\(Self.short(event.x)) \(Self.short(event.y))"
        log("\(event.phase) \(event.contact) at \(position), \(event.timestamp)")
      }
    case "restart":
      try session.stopCamera()
      try session.startCamera(.latest)
      log("restarted")
    case "settings": try useSettings()
    case "silence": try session.stopMicrophone()
    case "subscribe": isSubscribed = true
    case "unsubscribe": isSubscribed = false
    case "update": try session.updateAppContext(ConformanceContext(flash: "auto", count: 5))
    default: session.log(.error, "the task '\(task)' does not exist")
    }
  }

  /// Reads and changes the settings of the camera.
  private func useSettings() throws {
    for setting in try session.cameraSettings() {
      let range = "\(setting.range.lowerBound) \(setting.range.upperBound) \(setting.step)"
      let values = "\(setting.defaultValue) \(setting.value) \(setting.isAdjustable) \(setting.values.count)"
      log("\(setting.name.rawValue) \(range) \(values)")
    }
    log("zoom is \(try session.setCamera(.zoom, to: 205))")
  }

  /// Performs an activity that delays the dismissal.
  private func performActivity() async throws {
    try await session.withExpiringActivity(reason: "closing the film") { log("in the activity") }
    log("after the activity")
  }

  /// Logs text that needs escapes, and all levels.
  private func logTexts() {
    session.log(.debug, "a\t\"b\"\\\n\u{7F}\u{1}é😀")
    session.log(.notice, "notice")
    session.log(.error, "error")
  }

  // MARK: App context

  /// Replaces the context that is known, until no other process has changed it.
  private func exchangeContext() async throws {
    while true {
      let known = try await ConformanceIntent.currentAppContext
      let context = ConformanceContext(flash: "off", count: (known.context?.count ?? 0) + 1)
      let isStored = try await ConformanceIntent.updateAppContext(context, ifAt: known.revision)
      log("\(isStored ? "exchanged" : "conflict"): \(contextText)")
      if isStored { return }
    }
  }

  /// Sends a context that the host refuses.
  private func enlargeContext() {
    do { try session.updateAppContext(ConformanceContext(flash: "huge", count: 14)) } catch {
      log("not updated: \(contextText)")
    }
  }

  // MARK: App

  /// Opens the app, which the host refuses.
  private func openApp() async throws {
    guard let page = URL(string: "https://example.org/1") else { return }
    let first = NSUserActivity(activityType: "org.example.edit")
    first.title = "Edit"
    first.userInfo = [
      "photo": "photo-1.pgm", "rating": 4.5, "count": 2, "isNew": true, "tags": ["a", "b"],
      "raw": Data([1, 2, 255]), "page": page, "taken": Date(timeIntervalSince1970: 1_750_000_000),
    ]
    first.targetContentIdentifier = "photo-1"
    first.webpageURL = URL(string: "https://example.org/")
    let second = NSUserActivity(activityType: "org.example.edit")
    second.userInfo = ["photo": "photo-2.pgm"]
    for activity in [first, second] {
      activity.requiredUserInfoKeys = ["photo"]
      do { try await session.openApplication(for: activity) } catch is LockedCameraCaptureSession
        .ApplicationLaunchError
      {
        log("not opened: \(session.applicationLaunchFailure.map { "\($0.detail)" } ?? "other")")
      }
    }
  }

  // MARK: Photo library

  /// Adds, lists, opens and deletes photos.
  private func usePhotos() async throws {
    log("photos \(await PHPhotoLibrary.requestAuthorization(for: .addOnly))")
    log("added \(try await addPhoto())")
    let assets = Array(PHAsset.fetchAssets(with: nil))
    for asset in assets {
      let type = asset.mediaType == .unknown ? "other" : "\(asset.mediaType)"
      log(
        "photo \(asset.localIdentifier) '\(asset.title)' \(type) \(asset.byteCount) \(asset.isOfThisSession)"
      )
    }
    guard let first = assets.first, let last = assets.last else { return }
    log("photo \(first.localIdentifier) at \(try await first.fileURL().path(percentEncoded: false))")
    do {
      try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest.deleteAssets([last]) }
    } catch PHPhotosError.identifierNotFound { log("not deleted") }
  }

  /// Adds an image to the library, and returns the identifier of the asset.
  private func addPhoto() async throws -> String {
    var placeholder: PHObjectPlaceholder?
    try await PHPhotoLibrary.shared().performChanges {
      let request = PHAssetCreationRequest.forAsset()
      let options = PHAssetResourceCreationOptions()
      options.originalFilename = "Sun \"set\""
      request.creationDate = Date(timeIntervalSince1970: 1_750_000_000.25)
      let file = session.sessionContentURL.appending(path: "photo-1.pgm", directoryHint: .notDirectory)
      request.addResource(with: .photo, fileURL: file, options: options)
      placeholder = request.placeholderForCreatedAsset
    }
    return placeholder?.localIdentifier ?? "none"
  }
}
