// SPDX-License-Identifier: Apache-2.0

import CaptureImage
import ClownTown
import LockedCameraCapture
import Observation

/// The actions and the state of the booth during a session.
@MainActor @Observable
final class PortraitBooth {
  /// Whether portraits are painted with make-up.
  private(set) var addsMakeup = false
  /// The session of this launch.
  private let session: LockedCameraCaptureSession
  /// The number of portraits.
  private var portraits = 0
  /// The time at which the secondary button was pressed, or `nil` while it is up.
  private var pressed: ContinuousClock.Instant?

  /// Creates the booth of a session with the make-up setting that the user chose last, in the extension or in the
  /// app.
  init(_ session: LockedCameraCaptureSession) {
    self.session = session
    // The host has sent the setting with the launch, so that it applies to the first portrait.
    do {
      addsMakeup = try session.appContext(ClownTownContext.self)?.addsMakeup ?? false
    } catch {
      // A failure is not fatal: a portrait without make-up is better than none.
      session.log(.error, "the app context cannot be read: \(error)")
    }
  }

  /// Whether a portrait was taken.
  var hasPortrait: Bool { portraits > 0 }

  /// The name of the last portrait's file.
  private var portrait: String { "portrait-\(portraits).jpg" }

  /// Takes a portrait.
  func takePortrait() {
    session.takePicture { [self] frame in
      var picture = EditablePicture(frame)
      if addsMakeup { picture.paint(ClownMakeup(width: picture.width, height: picture.height)) }
      portraits += 1
      try session.writeContent(JPEGEncoder().encode(picture), to: portrait)
      session.log(.info, "wrote \(portrait) \(addsMakeup ? "with" : "without") make-up")
    }
  }

  /// Distinguishes a press from a hold at the release of the button.
  func secondaryButton(_ phase: AVCaptureEventPhase) {
    switch phase {
    case .began: pressed = .now
    case .cancelled: pressed = nil
    case .ended:
      guard let pressed else { return }
      self.pressed = nil
      let isHeld = pressed.duration(to: .now) >= .seconds(1)
      Task { if isHeld { await updateProfilePhoto() } else { await toggleMakeup() } }
    }
  }

  /// Toggles the make-up, and stores the setting for the app and later sessions.
  func toggleMakeup() async {
    addsMakeup.toggle()
    do {
      try await ClownTownCaptureIntent.updateAppContext(ClownTownContext(addsMakeup: addsMakeup))
      session.log(.info, "make-up is \(addsMakeup ? "on" : "off")")
    } catch {
      session.log(.error, "the make-up setting cannot be stored: \(error)")
    }
  }

  /// Opens the app to make the last portrait the profile photo, which requires a network connection.
  func updateProfilePhoto() async {
    guard hasPortrait else { return session.log(.notice, "no portrait exists yet") }
    do {
      let flow = UpdateProfilePhoto(session: session.sessionID, portrait: portrait)
      try await session.openApplication(for: flow.activity)
    } catch {
      // The booth stays open, so the user can try again.
      session.log(.error, "the app was not opened: \(error)")
    }
  }
}
