// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the lock screen with a Wayland compositor.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Programs.has("sway", "swaymsg", "grim", "wtype")), .waiting)
struct LockScreenTests {
  @Test(.enabled(if: Compositor.canLock), arguments: Person.available)
  func `the camera works in front of the lock, and the right passcode alone opens it`(person: Person) throws {
    let locked = try LockedScreen(
      person,
      try Compositor(width: LockedScreen.width, height: LockedScreen.height, locks: true)
    )
    try locked.awaitFace()
    #expect(try locked.place.darkroom("permission", ["set", Place.app, "camera", "authorized"]).code == 0)
    try locked.pressCamera { try !locked.place.names("sessions").isEmpty }
    // The first and the last bar of the test pattern: white and black.
    try locked.awaitColours([
      (20, 60, ScreenshotTests.colours[0]), (300, 60, ScreenshotTests.colours[7]), (1, 1, LockedScreen.frame),
    ])
    let session = try #require(try locked.place.names("sessions").first)
    try locked.type("-k", "space") {
      try locked.place.names("sessions/\(session)/content").contains { $0.hasSuffix(".jpg") }
    }
    try locked.type("d") { try locked.place.names("sessions").isEmpty }
    try locked.awaitFace()
    // The camera key works as the button does; in a session, both press the shutter.
    try locked.type("-k", "XF86WebCam") { try !locked.place.names("sessions").isEmpty }
    try locked.awaitColours([(20, 60, ScreenshotTests.colours[0])])
    let second = try #require(try locked.place.names("sessions").first)
    try locked.pressCamera {
      try locked.place.names("sessions/\(second)/content").contains { $0.hasSuffix(".jpg") }
    }
    // The key that exits the command elsewhere ends only the session here.
    try locked.type("q") { try locked.place.names("sessions").isEmpty }
    try locked.awaitFace()
    #expect(try locked.state() == "locked" && !locked.hasEnded())

    try locked.type("0000", "-k", "Return") {
      let screen = try locked.compositor.screen()
      return screen.colour(LockedScreen.width / 2, LockedScreen.height * 2 / 5) == LockedScreen.wrong
    }
    #expect(try locked.state() == "locked" && !locked.hasEnded())
    try locked.type("1234", "-k", "Return") { locked.hasEnded() }
    let result = try locked.command.end()
    #expect(result.code == 0, "\(result.errors)")
    #expect(try locked.state() == "unlocked")
    #expect(try locked.compositor.screen().colour(3, 3) != LockedScreen.background)
    try locked.place.expectNothingLeft()
  }

  @Test(.enabled(if: Compositor.canLock))
  func `an app that is to ask for the camera is opened after the passcode, and the screens with it`() throws {
    let reason = #""usageDescriptions": {"camera": "To see."}"#
    let compositor = try Compositor(width: LockedScreen.width, height: LockedScreen.height, locks: true)
    let locked = try LockedScreen(
      Person.available[0],
      compositor,
      app: [
        "App/app.json": #"{"id": "\#(Place.app)", "name": "Asking", "open": ["/bin/sh", "-c", "sleep 1"],"#
          + #""controls": [{"id": "\#(Place.app).shutter", "title": "Shoot", "extension": "\#(Place.app).capture"}],"#
          + "\(reason)}",
        "App/Extensions/Capture/extension.json": #"{"id": "\#(Place.app).capture", "name": "Capture","#
          + #""executable": "capture.sh", "protocol": "1", \#(reason)}"#,
        "App/Extensions/Capture/capture.sh": "#!/bin/sh\n",
      ]
    )
    try locked.awaitFace()
    try locked.pressCamera {
      // The button is hidden while the user is prompted.
      try locked.compositor.screen().colour(LockedScreen.width / 2, 192) == LockedScreen.background
    }
    #expect(try locked.state() == "locked")
    try locked.type("1234", "-k", "Return") { locked.hasEnded() }
    let result = try locked.command.end()
    #expect(result.code == 0 && result.text.contains("opened \(Place.app)"), "\(result.text)\(result.errors)")
    #expect(try locked.state() == "unlocked")
  }

  @Test(.enabled(if: Compositor.canLock))
  func `whoever kills the lock screen finds the screens locked, and it can be started again`() throws {
    var locked = try LockedScreen(
      Person.available[0],
      try Compositor(width: LockedScreen.width, height: LockedScreen.height, locks: true)
    )
    try locked.awaitFace()
    let before = try locked.compositor.screen().colour(3, 3)
    // A new process replaces a killed drawing process.
    let helper = try locked.helper()
    // Before a session starts, the drawing process is confined and has all its sockets.
    try locked.command.wait {
      let status = String(decoding: try FileSystem.contents("/proc/\(helper)/status") ?? [], as: UTF8.self)
      return status.contains("NoNewPrivs:\t1") && status.contains("Seccomp:\t2")
    }
    kill(helper, SIGKILL)
    try locked.command.wait { try locked.text().contains("the lock screen is shown again") }
    try locked.awaitFace()
    kill(locked.command.process, SIGKILL)
    _ = try locked.command.end()
    #expect(try locked.state() == "locked")
    try locked.startAgain()
    try locked.awaitFace()
    #expect(try locked.compositor.screen().colour(3, 3) == before)
    // SIGTERM does not unlock the screen.
    locked.command.signal(SIGTERM)
    let stopped = try locked.command.end()
    #expect(stopped.code == 75 && stopped.errors.contains("the screens stay locked"), "\(stopped.errors)")
    try locked.startAgain()
    let answers = locked.place.file("answers")
    #expect(try locked.place.darkroom("unlock", ["--passcode-fd", "0"], input: answers).code == 0)
    #expect(try locked.command.end().code == 0)
  }

  @Test(.enabled(if: !Compositor.canLock), arguments: Person.available)
  func `where the compositor cannot be locked nothing is, and it is said why`(person: Person) throws {
    let compositor = try Compositor(width: 64, height: 64)
    let place = try Place(person)
    place.variables += compositor.variables
    try LockedScreen.setPasscode(place)
    let result = try place.darkroom("lock", ["screen"])
    #expect(
      result.code == 69 && result.errors.contains("has no ext_session_lock_manager_v1"),
      "\(result.errors)"
    )
    #expect(result.errors.contains("nothing was locked"))
    let status = try place.json(try place.darkroom("lock", ["status", "--json"]).output)
    #expect(status["state"]?.string == "unlocked")
  }

  @Test(arguments: Person.available)
  func `without a compositor, a control or a passcode nothing is locked`(person: Person) throws {
    let place = try Place(person)
    // A lock without a passcode could not be unlocked.
    let words = ["configure", "--authenticator", "passcode"]
    #expect(try place.darkroom("lock", words).code == 0)
    let closed = try place.darkroom("lock", ["screen"])
    #expect(closed.code == 69 && closed.errors.contains("nobody could open it again: no passcode is set"))
    try LockedScreen.setPasscode(place)
    let nowhere = try place.darkroom("lock", ["screen"])
    #expect(nowhere.code == 69 && nowhere.errors.contains("WAYLAND_DISPLAY is not set"), "\(nowhere.errors)")
    let unknown = try place.darkroom("lock", ["screen", "--control", "nothing"])
    #expect(unknown.code == 66, "\(unknown.errors)")
    let status = try place.json(try place.darkroom("lock", ["status", "--json"]).output)
    #expect(status["state"]?.string == "unlocked")
  }
}
