// SPDX-License-Identifier: Apache-2.0

import ClownTown
import FoundationEssentials
import LockedCameraCapture

/// The running app.
///
/// It has no window that the user could close, so it exits after some time without events.
@MainActor
final class OpenedApp {
  /// The storage of the app.
  private let profile: Profile
  /// The importer of portraits.
  private let importer: PortraitImporter
  /// The app's access to captures and launches.
  private let manager = LockedCameraCaptureManager.shared
  /// The time of the last event.
  private var lastEvent = ContinuousClock.now
  /// The number of user activities in progress.
  private var activeFlows = 0
  /// The error that ends the app.
  private var failure: (any Error)?

  /// Creates the app of a user profile.
  init(_ profile: Profile) throws {
    self.profile = profile
    importer = try PortraitImporter(profile)
  }

  /// Runs until there was no event for two seconds and no launch is pending.
  func run() async throws {
    // The user requested a new profile photo, so the app must not appear with the old one.
    manager.beginDelayingAppearance()
    manager.perform(ClownTownCaptureIntent.self)
    manager.onContinueUserActivity(NSUserActivityTypeLockedCameraCapture) { [self] activity in
      guard let flow = UpdateProfilePhoto(activity) else {
        return printLine("opened for an unknown activity")
      }
      activeFlows += 1
      Task { await updateProfilePhoto(flow) }
    }
    let imports = Task { [importer] in try await importer.run() }
    while activeFlows > 0 || lastEvent.duration(to: .now) < .seconds(2) || manager.hasPendingLaunches {
      try await Task.sleep(for: .milliseconds(50))
      if BoothState.shared.isOpen { showBooth() }
      if let failure { throw failure }
    }
    imports.cancel()
  }

  /// Continues the user activity of the extension.
  private func updateProfilePhoto(_ flow: UpdateProfilePhoto) async {
    defer {
      activeFlows -= 1
      lastEvent = .now
    }
    do {
      // The content is available before the app receives the activity; `nil` means that the import task has
      // taken it.
      if let content = try await manager.waitForSession(flow.session) {
        try await importer.importSession(at: content)
      }
      try profile.update(to: flow.portrait, of: flow.session)
      printLine("profile photo updated: \(flow.portrait)")
      manager.endDelayingAppearance()
    } catch {
      failure = error
    }
  }

  /// Shows the booth; an app with a screen would open its window here.
  private func showBooth() {
    printLine("the booth is open, \(BoothState.shared.addsMakeup ? "with" : "without") make-up")
    BoothState.shared.close()
    lastEvent = .now
  }
}
