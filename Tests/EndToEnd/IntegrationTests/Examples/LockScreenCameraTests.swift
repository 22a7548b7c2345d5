// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the lock screen camera, an app and an extension with SwiftUI and AVFoundation.
@Suite(.timeLimit(.minutes(20)), .waiting) struct LockScreenCameraTests {
  private static let app = "org.darkroom.lockscreencamera"
  /// The centers of the buttons in a viewfinder of 640 by 480 pixels.
  private static let (mirror, grid, shutter, openApp) = ("50 32", "597 32", "320 420", "570 420")

  /// An installed app with permission to use the camera.
  private struct Phone {
    let home: TestHome
    /// The app's library.
    var library: String { "\(home.directory)/.local/share/lockscreen-camera" }
    /// The name of the only imported session.
    var session: String {
      get throws { try #require(try FileSystem.names(in: library).first { !$0.hasPrefix(".") }) }
    }

    /// Installs the app and grants it the camera.
    init(_ user: TestUser) throws {
      home = try TestHome(user)
      try home.install(home.programs.lockScreenCamera)
      let allowed = try home.darkroom(
        "permission",
        ["set", LockScreenCameraTests.app, "camera", "authorized"]
      )
      try #require(allowed.code == 0, "\(allowed.errors)")
    }

    /// Presses the control on the lock screen, and plays a script in the extension.
    func press(_ script: String) throws -> Command.Result {
      let script = try home.write("script", script)
      let arguments = ["--from", "lockscreen", "--camera", "pattern:640x480@30", "--script", script]
      return try home.darkroom("control", ["press", "\(LockScreenCameraTests.app).open"] + arguments)
    }

    /// Runs the app's program in a shell.
    func camera(_ arguments: String...) throws -> Command.Result {
      let program = "\(home.programs.directory)/bin/lockscreen-camera"
      let variables = ["DARKROOM_ROOT=\(home.root)", "DARKROOM_APP_ID=\(LockScreenCameraTests.app)"]
      return try home.start(["/usr/bin/env"] + variables + [program] + arguments).end()
    }

    /// Waits until the output of the opened app contains a text.
    func expectOutput(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
      let path = "\(home.root)/apps/\(LockScreenCameraTests.app)/open.log"
      var output = ""
      let isFound = try TestTimeout.waitUntil {
        output = String(decoding: try FileSystem.contents(path) ?? [], as: UTF8.self)
        return output.contains(text)
      }
      #expect(isFound, "\(output)", sourceLocation: sourceLocation)
    }

    /// Checks the Exif orientation of an imported photo: 1 for a regular photo, 2 for a mirrored one.
    func expectOrientation(_ value: Int, _ photo: String) throws {
      let file = "\(library)/\(try session)/\(photo)"
      try runShell("[ \"$(identify -format '%[EXIF:Orientation]' '\(file)')\" = \(value) ]")
    }
  }

  @Test(arguments: TestUser.available)
  func `its buttons change settings, take a photo and open the app, which shows the photo`(
    user: TestUser
  ) throws {
    let phone = try Phone(user)
    let result = try phone.press(
      """
      await touchable within 20s
      await listening within 20s
      press
      await file photo-1.jpg within 20s
      tap \(Self.mirror)
      await log "mirror on, grid off" within 20s
      tap \(Self.grid)
      await log "mirror on, grid on" within 20s
      tap \(Self.shutter)
      await log "wrote photo-2.jpg" within 20s
      tap \(Self.openApp)
      await ended within 20s

      """
    )
    #expect(result.code == 0, "\(result.errors)")
    try phone.expectOutput("showing photo-2.jpg: mirror on, grid on")
    try phone.expectOrientation(1, "photo-1.jpg")
    try phone.expectOrientation(2, "photo-2.jpg")
    #expect(try phone.camera("settings").text == "mirror on, grid on\n")
  }

  @Test func `the first photo has the settings of the app, and the app imports it when it starts`() throws {
    let phone = try Phone(TestUser.available[0])
    #expect(try phone.camera("mirror", "on").code == 0)
    let result = try phone.press(
      "await listening within 20s\npress\nawait file photo-1.jpg within 20s\ndismiss\n"
    )
    #expect(result.code == 0, "\(result.errors)")
    #expect(try phone.camera().text == "imported photos: 1\n")
    try phone.expectOrientation(2, "photo-1.jpg")
    #expect(try phone.camera().text == "")
  }

  @Test func `a press outside the lock screen opens the app with the settings`() throws {
    let phone = try Phone(TestUser.available[0])
    #expect(try phone.camera("grid", "on").code == 0)
    let control = "\(Self.app).open"
    #expect(try phone.home.darkroom("control", ["press", control, "--from", "elsewhere"]).code == 0)
    try phone.expectOutput("the camera is open: mirror off, grid on")
  }

  @Test func `the session continues with a message if the authentication for the app fails`() throws {
    let home = try TestHome(.regular)
    let script = """
      given locked
      given authentication fails
      await touchable within 20s
      tap \(Self.openApp)
      await log "The app was not opened" within 20s
      press
      await file photo-1.jpg within 20s
      dismiss
      expect outcome dismissed user

      """
    let result = try home.darkroom(
      "simulate",
      [
        "\(home.programs.lockScreenCamera)/Extensions/Capture", "--camera", "pattern:640x480@30", "--script",
        try home.write("script", script),
      ]
    )
    #expect(result.code == 0, "\(result.text)\(result.errors)")
  }

  @Test func `the program with the controls prints the controls of the manifest`() throws {
    let home = try TestHome(.regular)
    let program = "\(home.programs.directory)/bin/lockscreen-camera-controls"
    let printed = try home.start([program, "\(Self.app).capture"]).end()
    let manifest = try #require(try FileSystem.contents("\(home.programs.lockScreenCamera)/app.json"))
    #expect(try home.json(Array(printed.text.utf8)) == home.json(manifest)["controls"])
  }
}
