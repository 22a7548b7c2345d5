// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LockedCameraCapture

// The code of the LockedCameraCapture demo's document, with our views where it has UIKit's. `SnippetTests` runs it.

extension View {
  /// The demo's modifier; the interaction needs no view of its own here.
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

/// What the demo's app and extension share.
struct AppCaptureContext: Codable, Sendable {
  var cameraPosition: String
}

/// The demo's intent.
struct AppCaptureIntent: CameraCaptureIntent {
  typealias AppContext = AppCaptureContext
  static let title: LocalizedStringResource = "AppCaptureIntent"

  func perform() async throws -> some IntentResult { .result() }
}

/// The demo's model, which reads the context first, then the app's own settings, then a default value.
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

/// Where the demo's views store what they make.
struct AppStorageConfigProvider {
  let rootURL: URL?
}

extension AppStorageConfigProvider {
  init(_ session: LockedCameraCaptureSession) {
    self.rootURL = session.sessionContentURL
  }
}

/// The demo's extension; `@main` there.
struct LockedExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      LockedCameraCaptureView(session: session)
    }
  }
}

/// The demo's root view.
struct LockedCameraCaptureView: View {
  let session: LockedCameraCaptureSession

  var body: some View {
    ContentView(configProvider: AppStorageConfigProvider(session))
      .environment(\.scenePhase, .active)
  }
}

/// The view that the demo's app and extension share.
struct ContentView: View {
  let configProvider: AppStorageConfigProvider

  var body: some View {
    Viewfinder().onPressCapture {
      guard let root = configProvider.rootURL else { return }
      try? Data("a picture".utf8).write(to: root.appending(path: "pressed.jpg"))
    }
  }
}
