// SPDX-License-Identifier: Apache-2.0

import LockScreenCamera
import LockedCameraCapture

/// The running app.
///
/// The app has no window that the user could close, so it exits two seconds after the last launch, unless another
/// launch is pending.
@MainActor
final class OpenedApp {
  private let library: PhotoLibrary
  private let manager = LockedCameraCaptureManager.shared
  /// The time of the last event.
  private var lastEvent = ContinuousClock.now
  /// Whether a launch is being handled.
  private var isHandlingLaunch = false

  /// Creates the app of a library.
  init(_ library: PhotoLibrary) { self.library = library }

  /// Imports the photos of earlier sessions, and handles launches until there was none for two seconds
  /// and none is pending.
  ///
  /// - Throws: The error of the import.
  func run() async throws {
    try await library.importSessions { printLine($0) }
    lastEvent = .now
    let launches = Task { for await launch in manager.launches { try await handle(launch) } }
    while isHandlingLaunch || lastEvent.duration(to: .now) < .seconds(2) || manager.hasPendingLaunches {
      try await Task.sleep(for: .milliseconds(50))
    }
    launches.cancel()
    try await launches.value
  }

  /// Handles a launch by the control or the extension.
  private func handle(_ launch: ApplicationLaunch) async throws {
    isHandlingLaunch = true
    defer {
      isHandlingLaunch = false
      lastEvent = .now
    }
    // The settings at the time of the launch, such as those that the extension stored before it opened the app.
    let settings = try launch.appContext(as: CameraSettings.self) ?? CameraSettings()
    switch launch.kind {
    case .control: printLine("the camera is open: \(settings)")
    case .permission: printLine("the camera requires a permission: run 'darkroom permission set'")
    case .captureExtension: try await show(launch, settings)
    }
  }

  /// Shows the photo that the extension requested; an app with a window would show its pixels.
  private func show(_ launch: ApplicationLaunch, _ settings: CameraSettings) async throws {
    guard let session = launch.sessionID, let request = launch.activity.flatMap({ ShowPhoto($0) }) else {
      return printLine("opened for an unknown activity")
    }
    // The content of the session is available before the launch is delivered.
    try await library.importSessions { printLine($0) }
    let names = try library.photos(of: session).names
    guard let name = request.name, names.contains(name) else {
      return printLine("showing the library: \(settings)")
    }
    printLine("showing \(name): \(settings)")
  }
}
