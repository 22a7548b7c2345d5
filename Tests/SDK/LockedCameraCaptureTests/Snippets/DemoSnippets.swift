// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LockedCameraCapture

// The code of the LockedCameraCapture demo document, with views of this package instead of UIKit views.
// `SnippetTests` runs it.

extension View {
  /// The modifier of the demo. The interaction does not need a view here.
  func onPressCapture(action: @escaping () -> Void) -> some View {
    interaction(
      AVCaptureEventInteraction { event in
        if event.phase == .began {
          action()
        }
      }
    )
  }
}

/// The context that the app and the extension of the demo share.
struct AppCaptureContext: Codable, Sendable {
  var cameraPosition: String
}

/// The intent of the demo.
struct AppCaptureIntent: CameraCaptureIntent {
  typealias AppContext = AppCaptureContext
  static let title: LocalizedStringResource = "AppCaptureIntent"

  func perform() async throws -> some IntentResult { .result() }
}

/// The model of the demo, which prefers the context, then the settings of the app, then a default value.
@MainActor
final class DemoModel {
  var cameraPosition = "rear"
  private let settings: [String: String]

  init(settings: [String: String]) { self.settings = settings }

  func updateFromAppContext() async {
    // In the app, first the value from its own settings.
    if let position = settings["cameraPosition"] { cameraPosition = position }
    do {
      // If `AppCaptureIntent.appContext` exists, then read from it.
      if let appContext = try await AppCaptureIntent.appContext {
        cameraPosition = appContext.cameraPosition
      }
    } catch {
      StatusManager.displayError("error on getting app context")
    }
  }
}

/// The storage location for the views of the demo.
struct AppStorageConfigProvider {
  let rootURL: URL?
}

extension AppStorageConfigProvider {
  init(_ session: LockedCameraCaptureSession) {
    self.rootURL = session.sessionContentURL
  }
}

/// The extension of the demo, which is `@main` there.
struct LockedExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      LockedCameraCaptureView(session: session)
    }
  }
}

/// The root view of the demo.
struct LockedCameraCaptureView: View {
  let session: LockedCameraCaptureSession

  var body: some View {
    ContentView(configProvider: AppStorageConfigProvider(session))
      .environment(\.scenePhase, .active)
  }
}

/// The view that the app and the extension of the demo share.
struct ContentView: View {
  let configProvider: AppStorageConfigProvider

  var body: some View {
    Viewfinder().onPressCapture {
      guard let root = configProvider.rootURL else { return }
      try? Data("a picture".utf8).write(to: root.appending(path: "pressed.jpg"))
    }
  }
}
