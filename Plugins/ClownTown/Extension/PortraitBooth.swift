// SPDX-License-Identifier: Apache-2.0

import CaptureImage
import ClownTown
import LockedCameraCapture

/// What the booth does, and what it remembers while it is open.
@MainActor
final class PortraitBooth {
  /// Whether the clown wants to be made up.
  private(set) var addsMakeup = false
  /// The session of this launch.
  private let session: LockedCameraCaptureSession
  /// How many portraits were taken.
  private var portraits = 0
  /// When the other button was pressed.
  private var pressed: ContinuousClock.Instant?

  /// Opens the booth for a session.
  init(_ session: LockedCameraCaptureSession) { self.session = session }

  /// The name of the last portrait's file.
  private var portrait: String { "portrait-\(portraits).jpg" }

  /// Does as the clown has last chosen, here or in the app.
  func readContext() async {
    do {
      addsMakeup = try await ClownTownCaptureIntent.appContext?.addsMakeup ?? false
    } catch {
      // The booth opens all the same: a portrait without make-up is better than none.
      session.log(.error, "the app context cannot be read: \(error)")
    }
  }

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

  /// Tells a press from a hold: both begin alike.
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

  /// Puts make-up on or off, and remembers it for the app and for the next time.
  private func toggleMakeup() async {
    addsMakeup.toggle()
    do {
      try await ClownTownCaptureIntent.updateAppContext(ClownTownContext(addsMakeup: addsMakeup))
      session.log(.info, "make-up is \(addsMakeup ? "on" : "off")")
    } catch {
      session.log(.error, "the switch was not kept: \(error)")
    }
  }

  /// Opens the app to make the last portrait the profile photo; a server wants it, and there is no network here.
  private func updateProfilePhoto() async {
    guard portraits > 0 else { return session.log(.notice, "there is no portrait yet") }
    do {
      let flow = UpdateProfilePhoto(session: session.sessionID, portrait: portrait)
      try await session.openApplication(for: flow.activity)
    } catch {
      // The booth stays open, and the clown can try again.
      session.log(.error, "the app was not opened: \(error)")
    }
  }
}
