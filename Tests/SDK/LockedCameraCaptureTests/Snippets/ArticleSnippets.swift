// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LockedCameraCapture
import Synchronization

// The code of "Creating a camera experience for the Lock Screen". It is corrected, because the published code
// does not compile on Apple platforms either: the title has a type, `perform()` returns a result, and the
// activity is an object instead of a type name. Views of this package replace UIKit views. `SnippetTests`
// runs all of it.

/// The context that the app and the extension of the article share.
struct MyAppContext: Codable, Sendable, Equatable {
  /// The direction of the camera.
  enum CameraDirection: String, Codable, Sendable {
    case front
    case rear
  }

  var cameraDirection: CameraDirection
}

/// The calls of `perform()`, for the test.
let openedCameras = Mutex<[MyAppContext.CameraDirection]>([])

/// The intent of the article.
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

/// The action of the button of the article.
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

/// Records the errors that the article shows to the user.
enum StatusManager {
  static let errors = Mutex<[String]>([])

  static func displayError(_ sentence: String) { errors.withLock { $0.append(sentence) } }
}

/// The extension of the article, which is `@main` there.
struct MyCameraCaptureExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    // The LockedCameraCaptureUIScene contains your extension UI.
    LockedCameraCaptureUIScene { session in
      // The capture view to display.
      ArticleViewfinder(session: session)
    }
  }
}

/// The capture view of the article, with a viewfinder instead of UIKit's image picker.
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

/// The key of the value that the extension passes to the app.
let userInfoKey = "info"

/// The function of the article that opens the app.
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

/// The loop of the article over the content; `manager` is `LockedCameraCaptureManager.shared` there.
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
