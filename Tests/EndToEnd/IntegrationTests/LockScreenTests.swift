// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the lock screen with a Wayland compositor.
@Suite(.timeLimit(.minutes(20)), .enabled(if: TestPrograms.has("sway", "swaymsg", "grim", "wtype")), .waiting)
struct LockScreenTests {
  @Test(.enabled(if: Compositor.canLock), arguments: TestUser.available)
  func `the camera works on the locked screen, and only the right passcode unlocks`(user: TestUser) throws {
    let locked = try LockedScreen(
      user,
      try Compositor(width: LockedScreen.width, height: LockedScreen.height, supportsLocking: true)
    )
    try locked.awaitLockScreen()
    #expect(try locked.home.darkroom("permission", ["set", TestHome.app, "camera", "authorized"]).code == 0)
    try locked.pressCameraButton { try !locked.home.names("sessions").isEmpty }
    // The first and the last bar of the test pattern: white and black.
    try locked.awaitColours([
      (20, 60, ScreenshotTests.colours[0]), (300, 60, ScreenshotTests.colours[7]), (1, 1, LockedScreen.frame),
    ])
    let session = try #require(try locked.home.names("sessions").first)
    try locked.type("-k", "space") {
      try locked.home.names("sessions/\(session)/content").contains { $0.hasSuffix(".jpg") }
    }
    try locked.type("d") { try locked.home.names("sessions").isEmpty }
    try locked.awaitLockScreen()
    // The camera key works as the button does; in a session, both press the shutter.
    try locked.type("-k", "XF86WebCam") { try !locked.home.names("sessions").isEmpty }
    try locked.awaitColours([(20, 60, ScreenshotTests.colours[0])])
    let second = try #require(try locked.home.names("sessions").first)
    try locked.pressCameraButton {
      try locked.home.names("sessions/\(second)/content").contains { $0.hasSuffix(".jpg") }
    }
    // The key that exits the command elsewhere ends only the session here.
    try locked.type("q") { try locked.home.names("sessions").isEmpty }
    try locked.awaitLockScreen()
    #expect(try locked.state() == "locked" && !locked.hasEnded())

    try locked.type("0000", "-k", "Return") {
      let screen = try locked.compositor.screen()
      return screen.colour(LockedScreen.width / 2, LockedScreen.height * 2 / 5) == LockedScreen.wrongDots
    }
    #expect(try locked.state() == "locked" && !locked.hasEnded())
    try locked.type("1234", "-k", "Return") { locked.hasEnded() }
    let result = try locked.command.end()
    #expect(result.code == 0, "\(result.errors)")
    #expect(try locked.state() == "unlocked")
    #expect(try locked.compositor.screen().colour(3, 3) != LockedScreen.background)
    try locked.home.expectNothingLeft()
  }

  @Test(.enabled(if: Compositor.canLock))
  func `clicks reach a subscribed session on the locked screen, and press no camera button`() throws {
    let reason = #""usageDescriptions": {"camera": "To see."}"#
    let (width, height) = (LockedScreen.width, LockedScreen.height)
    let locked = try LockedScreen(
      TestUser.available[0],
      try Compositor(width: width, height: height, supportsLocking: true),
      app: [
        "App/app.json": #"{"id": "\#(TestHome.app)", "name": "Touched", "#
          + #""controls": [{"id": "\#(TestHome.app).shutter", "title": "Shoot", "extension": "\#(TestHome.app).capture"}],"#
          + "\(reason)}",
        "App/Extensions/Capture/extension.json": #"{"id": "\#(TestHome.app).capture", "name": "Capture","#
          + #""executable": "capture.py", "protocol": "1", "arguments": ["touched"], \#(reason)}"#,
        "App/Extensions/Capture/capture.py": FaultyExtension.program,
      ]
    )
    try locked.awaitLockScreen()
    #expect(try locked.home.darkroom("permission", ["set", TestHome.app, "camera", "authorized"]).code == 0)
    try locked.pressCameraButton { try !locked.home.names("sessions").isEmpty }
    let content = "sessions/\(try #require(try locked.home.names("sessions").first))/content"
    func touches() throws -> [Substring] {
      let bytes = try FileSystem.contents("\(locked.home.root)/\(content)/touches") ?? []
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }
    func pictures() throws -> Int { try locked.home.names(content).count { $0.hasSuffix(".pgm") } }
    try locked.command.wait {
      try locked.compositor.click(40, 60, width: width, height: height)
      return try touches().contains("ended 0 40 60")
    }
    let before = try pictures()
    try locked.pressCameraButton { try touches().contains("ended 0 160 192") }
    #expect(try pictures() == before)
    try locked.type("d") { try locked.home.names("sessions").isEmpty }
    try locked.awaitLockScreen()
  }

  @Test(.enabled(if: Compositor.canLock))
  func `opens an app that has to request the camera after the passcode, and unlocks`() throws {
    let reason = #""usageDescriptions": {"camera": "To see."}"#
    let compositor = try Compositor(
      width: LockedScreen.width,
      height: LockedScreen.height,
      supportsLocking: true
    )
    let locked = try LockedScreen(
      TestUser.available[0],
      compositor,
      app: [
        "App/app.json": #"{"id": "\#(TestHome.app)", "name": "Asking", "open": ["/bin/sh", "-c", "sleep 1"],"#
          + #""controls": [{"id": "\#(TestHome.app).shutter", "title": "Shoot", "extension": "\#(TestHome.app).capture"}],"#
          + "\(reason)}",
        "App/Extensions/Capture/extension.json": #"{"id": "\#(TestHome.app).capture", "name": "Capture","#
          + #""executable": "capture.sh", "protocol": "1", \#(reason)}"#,
        "App/Extensions/Capture/capture.sh": "#!/bin/sh\n",
      ]
    )
    try locked.awaitLockScreen()
    try locked.pressCameraButton {
      // The button is hidden while the user is prompted.
      try locked.compositor.screen().colour(LockedScreen.width / 2, 192) == LockedScreen.background
    }
    #expect(try locked.state() == "locked")
    try locked.type("1234", "-k", "Return") { locked.hasEnded() }
    let result = try locked.command.end()
    #expect(
      result.code == 0 && result.text.contains("opened \(TestHome.app)"),
      "\(result.text)\(result.errors)"
    )
    #expect(try locked.state() == "unlocked")
  }

  @Test(.enabled(if: Compositor.canLock))
  func `the screen stays locked if the lock screen is killed, and it can be restarted`() throws {
    var locked = try LockedScreen(
      TestUser.available[0],
      try Compositor(width: LockedScreen.width, height: LockedScreen.height, supportsLocking: true)
    )
    try locked.awaitLockScreen()
    let before = try locked.compositor.screen().colour(3, 3)
    // A new process replaces a killed drawing process.
    let helper = try locked.drawingProcess()
    // Before a session starts, the drawing process is confined and has all its sockets.
    try locked.command.wait {
      let status = String(decoding: try FileSystem.contents("/proc/\(helper)/status") ?? [], as: UTF8.self)
      return status.contains("NoNewPrivs:\t1") && status.contains("Seccomp:\t2")
    }
    kill(helper, SIGKILL)
    try locked.command.wait { try locked.errorOutput().contains("the lock screen is shown again") }
    try locked.awaitLockScreen()
    kill(locked.command.process, SIGKILL)
    _ = try locked.command.end()
    #expect(try locked.state() == "locked")
    try locked.restart()
    try locked.awaitLockScreen()
    #expect(try locked.compositor.screen().colour(3, 3) == before)
    // SIGTERM does not unlock the screen.
    locked.command.signal(SIGTERM)
    let stopped = try locked.command.end()
    #expect(stopped.code == 75 && stopped.errors.contains("the screens stay locked"), "\(stopped.errors)")
    try locked.restart()
    let answers = locked.home.file("answers")
    #expect(try locked.home.darkroom("unlock", ["--passcode-fd", "0"], input: answers).code == 0)
    #expect(try locked.command.end().code == 0)
  }

  @Test(.enabled(if: !Compositor.canLock), arguments: TestUser.available)
  func `locks nothing and reports why if the compositor has no session lock`(user: TestUser) throws {
    let compositor = try Compositor(width: 64, height: 64)
    let home = try TestHome(user)
    home.variables += compositor.variables
    try LockedScreen.setPasscode(home)
    let result = try home.darkroom("lock", ["screen"])
    #expect(
      result.code == 69 && result.errors.contains("does not support ext_session_lock_manager_v1"),
      "\(result.errors)"
    )
    #expect(result.errors.contains("nothing was locked"))
    let status = try home.json(try home.darkroom("lock", ["status", "--json"]).output)
    #expect(status["state"]?.string == "unlocked")
  }

  @Test(arguments: TestUser.available)
  func `locks nothing without a compositor, a control or a passcode`(user: TestUser) throws {
    let home = try TestHome(user)
    // A lock without a passcode could not be unlocked.
    let arguments = ["configure", "--authenticator", "passcode"]
    #expect(try home.darkroom("lock", arguments).code == 0)
    let closed = try home.darkroom("lock", ["screen"])
    #expect(
      closed.code == 69
        && closed.errors.contains("the user could not unlock the screens again: no passcode is set")
    )
    try LockedScreen.setPasscode(home)
    let nowhere = try home.darkroom("lock", ["screen"])
    #expect(nowhere.code == 69 && nowhere.errors.contains("WAYLAND_DISPLAY is not set"), "\(nowhere.errors)")
    let unknown = try home.darkroom("lock", ["screen", "--control", "nothing"])
    #expect(unknown.code == 66, "\(unknown.errors)")
    let status = try home.json(try home.darkroom("lock", ["status", "--json"]).output)
    #expect(status["state"]?.string == "unlocked")
  }
}
