// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LockedCameraCapture
import Synchronization

// The code of "Creating a camera experience for the Lock Screen". Mended, because it does not compile as printed for
// Apple either: the title has its type, `perform()` gives a result, the activity is one and not its type's name, and
// the view is ours where it was UIKit's. `SnippetTests` runs all of it.

/// What the article's app and extension share.
struct MyAppContext: Codable, Sendable, Equatable {
  /// The camera's two directions.
  enum CameraDirection: String, Codable, Sendable {
    case front
    case rear
  }

  var cameraDirection: CameraDirection
}

/// What `perform()` has done, for the test to see.
let openedCameras = Mutex<[MyAppContext.CameraDirection]>([])

/// The article's intent.
struct MyAppCaptureIntent: CameraCaptureIntent {
  typealias AppContext = MyAppContext
  static let title: LocalizedStringResource = "MyAppCaptureIntent"
  static let description = IntentDescription("Capture photos and videos with MyApp.")

  @MainActor
  func perform() async throws -> some IntentResult {
    do {
      if let context = try await MyAppCaptureIntent.appContext {
        // Read the camera direction from the appContext.
        openedCameras.withLock { $0.append(context.cameraDirection) }
      }
    } catch {
      StatusManager.displayError(error.localizedDescription)
    }
    return .result()
  }
}

/// The article's button, as the action that it has.
@MainActor
struct ChangeDirectionButton {
  var direction: MyAppContext.CameraDirection

  mutating func press() async {
    // Change the direction of the camera.
    direction = direction == .front ? .rear : .front
    do {
      // Update the appContext with the new camera direction.
      try await MyAppCaptureIntent.updateAppContext(MyAppContext(cameraDirection: direction))
    } catch {
      StatusManager.displayError(error.localizedDescription)
    }
  }
}

/// What tells the person of an error.
enum StatusManager {
  static let errors = Mutex<[String]>([])

  static func displayError(_ sentence: String) { errors.withLock { $0.append(sentence) } }
}

/// The article's extension; `@main` there.
struct MyCameraCaptureExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    // The LockedCameraCaptureUIScene contains your extension UI.
    LockedCameraCaptureUIScene { session in
      // The capture view to display.
      ArticleViewfinder(session: session)
    }
  }
}

/// The article's capture view; where it wraps UIKit's image picker, this has the viewfinder.
struct ArticleViewfinder: View {
  // The session variable contains information on where to store captured content
  // and may initiate a request to open the containing app.
  let session: LockedCameraCaptureSession

  var body: some View {
    Viewfinder()
      .onCameraCaptureEvent { event in
        guard event.phase == .ended else { return }
        try session.writeContent(Array("a picture".utf8), to: "photo.jpg")
      }
  }
}

/// The key of what the extension hands over.
let userInfoKey = "info"

/// The article's function that opens the app.
@discardableResult
func launchApp(with session: LockedCameraCaptureSession, info: String) -> Task<Void, Never> {
  Task {
    do {
      let activity = NSUserActivity(activityType: NSUserActivityTypeLockedCameraCapture)
      activity.userInfo = [userInfoKey: info]
      try await session.openApplication(for: activity)
    } catch {
      StatusManager.displayError("Unable to open app - \(error.localizedDescription)")
    }
  }
}

/// The article's loop over the content; `manager` is `LockedCameraCaptureManager.shared` there.
func processContent(
  of manager: LockedCameraCaptureManager,
  isolation: isolated (any Actor)? = #isolation,
  _ process: (LockedCameraCaptureManager.SessionContentUpdate) async throws -> Bool
) async rethrows {
  for await update in manager.sessionContentUpdates {
    switch update {
    case .initial:
      // Process captured content from existing session content directories.
      break
    case .added:
      // Process captured content from a new session content directory.
      break
    case .removed:
      // Process captured content from a removed session content directory.
      break
    @unknown default:
      // An unknown sessionContentUpdate was received.
      break
    }
    if try await !process(update) { return }
  }
}
