// SPDX-License-Identifier: Apache-2.0

import ClownTown
import FoundationEssentials
import LockedCameraCapture

/// The app while it is open.
///
/// It has no window that somebody could close, and so it ends by itself when nothing has happened for a while.
@MainActor
final class OpenedApp {
  /// Where everything is kept.
  private let profile: Profile
  /// What takes portraits in.
  private let importer: PortraitImporter
  /// The app's side of capture.
  private let manager = LockedCameraCaptureManager.shared
  /// When something has happened the last time.
  private var lastEvent = ContinuousClock.now
  /// How many flows are being continued.
  private var isBusy = 0
  /// What could not be done.
  private var failure: (any Error)?

  /// Opens the app of a clown.
  init(_ profile: Profile) throws {
    self.profile = profile
    importer = try PortraitImporter(profile)
  }

  /// Runs until nothing has happened for two seconds.
  func run() async throws {
    // The person shall see the profile photo that they have asked for, and not the old one before it.
    manager.beginDelayingAppearance()
    manager.perform(ClownTownCaptureIntent.self)
    manager.onContinueUserActivity(NSUserActivityTypeLockedCameraCapture) { [self] activity in
      guard let flow = UpdateProfilePhoto(activity) else { return say("opened for something unknown") }
      isBusy += 1
      Task { await updateProfilePhoto(flow) }
    }
    let imports = Task { [importer] in try await importer.run() }
    while isBusy > 0 || lastEvent.duration(to: .now) < .seconds(2) {
      try await Task.sleep(for: .milliseconds(50))
      if BoothState.shared.isOpen { showBooth() }
      if let failure { throw failure }
    }
    imports.cancel()
  }

  /// Continues where the extension has left the person.
  private func updateProfilePhoto(_ flow: UpdateProfilePhoto) async {
    defer {
      isBusy -= 1
      lastEvent = .now
    }
    do {
      // The content is there before the app hears of it; nil means that the import above was quicker.
      if let content = try await manager.waitForSession(flow.session) {
        try await importer.importSession(at: content)
      }
      try profile.update(to: flow.portrait, of: flow.session)
      say("profile photo updated: \(flow.portrait)")
      manager.endDelayingAppearance()
    } catch {
      failure = error
    }
  }

  /// Shows the booth, as the app of a phone would do on its screen.
  private func showBooth() {
    say("the booth is open, \(BoothState.shared.addsMakeup ? "with" : "without") make-up")
    BoothState.shared.close()
    lastEvent = .now
  }
}
