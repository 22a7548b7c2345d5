// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the ClownTown example, from the press of its control to the profile photo.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ClownTownTests {
  private static let app = "org.darkroom.clowntown"
  /// A script that takes a portrait, switches the make-up, takes another portrait, and opens the app.
  private static let portraits = """
    wait 300ms
    press
    wait 1s
    press secondary
    wait 1s
    press
    wait 1s
    hold secondary 1200ms
    wait 5s
    dismiss

    """

  /// An installed ClownTown with permission to use the camera.
  private struct Town {
    let home: TestHome
    /// The app's data directory.
    var data: String { "\(home.directory)/.local/share/clowntown" }

    /// Installs ClownTown and grants it the camera.
    init(_ user: TestUser) throws {
      home = try TestHome(user)
      try home.install(home.programs.clownTown)
      let allowed = try home.darkroom("permission", ["set", ClownTownTests.app, "camera", "authorized"])
      try #require(allowed.code == 0, "\(allowed.errors)")
      // A gray picture, so that each color in a portrait comes from the make-up.
      try runShell("convert -size 320x240 xc:gray50 '\(home.file("face.png"))'")
      try home.giveOwnership(home.file("face.png"))
    }

    /// Presses the control.
    func press(from surface: String, script: String = "", answers: String = "") throws -> Command.Result {
      let script = try home.write("script", script)
      let input = try home.write("answers", answers)
      let arguments = ["press", "\(ClownTownTests.app).portrait", "--from", surface, "--passcode-fd", "0"]
      let camera = surface == "lockscreen" ? ["--camera", home.file("face.png"), "--script", script] : []
      return try home.darkroom("control", arguments + camera, input: input)
    }

    /// Runs the app's program in a shell.
    func clowntown(_ arguments: String...) throws -> Command.Result {
      let program = "\(home.programs.directory)/bin/clowntown"
      return try home.start(
        ["/usr/bin/env", "DARKROOM_ROOT=\(home.root)", "DARKROOM_APP_ID=\(ClownTownTests.app)", program]
          + arguments
      ).end()
    }

    /// The sessions that the app has not imported.
    var pending: [String] {
      get throws { try home.names("apps/\(ClownTownTests.app)/container/SessionContent") }
    }

    /// Returns one line for each change of the profile photo.
    func history() throws -> [String] {
      guard try FileSystem.status("\(data)/history.txt") != nil else { return [] }
      let bytes = try FileSystem.contents("\(data)/history.txt") ?? []
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Waits until the app has changed the profile photo and has exited.
    func waitForProfile() throws {
      try home.eventually { try !history().isEmpty }
      try home.eventually { try !isOpen() }
    }

    /// Returns whether the app is running. A running app holds a lock in its container.
    private func isOpen() throws -> Bool {
      let path = "\(home.root)/apps/\(ClownTownTests.app)/container/app.lock"
      guard try FileSystem.status(path) != nil else { return false }
      return try FileLock.tryLock(path) == nil
    }

    /// Checks whether the nose in a portrait is red.
    func expectNose(_ isRed: Bool, _ portrait: String, sourceLocation: SourceLocation = #_sourceLocation)
      throws
    {
      let output = home.file("nose")
      try runShell("convert '\(portrait)' -crop 1x1+160+120 -depth 8 rgb:'\(output)'")
      let nose = try #require(try FileSystem.contents(output))
      try #require(nose.count == 3)
      #expect(
        (nose[0] > 180 && nose[1] < 80 && nose[2] < 80) == isRed,
        "\(nose)",
        sourceLocation: sourceLocation
      )
    }
  }

  @Test(arguments: TestUser.available)
  func `on an unlocked machine, a press at the lock screen sets the profile photo once`(
    user: TestUser
  ) throws {
    let town = try Town(user)
    let result = try town.press(from: "lockscreen", script: Self.portraits)
    #expect(result.code == 0, "\(result.errors)")
    try town.waitForProfile()
    let history = try town.history()
    try #require(history.count == 1, "\(result.errors)")
    let session = String(history[0].prefix { $0 != " " })
    #expect(history == ["\(session) portrait-2.jpg"])
    let portraits = "\(town.data)/portraits/\(session)"
    try town.expectNose(false, "\(portraits)/portrait-1.jpg")
    try town.expectNose(true, "\(portraits)/portrait-2.jpg")
    try town.expectNose(true, "\(town.data)/profile.jpg")
    #expect(try town.pending == [])

    // The make-up setting is shared by the extension and the app.
    #expect(try town.clowntown("makeup").text == "on\n")
    #expect(try town.clowntown("makeup", "off").code == 0)
    let again = try town.press(from: "lockscreen", script: "wait 300ms\npress\nwait 1s\ndismiss\n")
    #expect(again.code == 0, "\(again.errors)")
    let other = try #require(try town.pending.first)
    let content = "\(town.home.root)/apps/\(Self.app)/container/SessionContent/\(other)"
    try town.expectNose(false, "\(content)/portrait-1.jpg")

    // An app that is opened manually imports pending sessions but does not change the profile photo again.
    #expect(try town.clowntown().text == "imported \(other)\n")
    #expect(try town.history() == history)
    #expect(try town.pending == [])
    try town.home.expectNothingLeft()
  }

  @Test(arguments: TestUser.available)
  func `on a locked machine, opening the app needs the passcode, and a wrong one keeps the session`(
    user: TestUser
  )
    throws
  {
    let town = try Town(user)
    let home = town.home
    let passcode = try home.write("passcode", "1234\n")
    #expect(try home.darkroom("passcode", ["set", "--passcode-fd", "0"], input: passcode).code == 0)
    // Capturing requires one unlock after boot.
    #expect(try home.darkroom("unlock", ["--passcode-fd", "0"], input: passcode).code == 0)
    #expect(try home.darkroom("lock", []).code == 0)

    let refused = try town.press(from: "lockscreen", script: Self.portraits, answers: "4321\n")
    #expect(refused.code == 0, "\(refused.errors)\(refused.text)")
    #expect(try town.history() == [])
    #expect(try town.pending.count == 1)

    let result = try town.press(from: "lockscreen", script: Self.portraits, answers: "1234\n")
    #expect(result.code == 0, "\(result.errors)")
    try town.waitForProfile()
    #expect(try town.history().count == 1)
    // The first session switched the make-up on, and the second switched it off. Its second portrait has no
    // make-up.
    try town.expectNose(false, "\(town.data)/profile.jpg")
    // Both sessions were imported; the refused passcode lost nothing.
    #expect(try town.pending == [])
  }

  @Test func `the controls switch the make-up, take a portrait and open the app`() throws {
    let town = try Town(TestUser.available[0])
    // The positions are the centers of the controls in a viewfinder of 320 by 240 pixels.
    let result = try town.press(
      from: "lockscreen",
      script: """
        await touchable within 20s
        await listening within 20s
        tap 40 210
        await log "make-up is on" within 20s
        tap 160 210
        await log "wrote portrait-1.jpg" within 20s
        tap 280 210
        await ended within 20s

        """
    )
    #expect(result.code == 0, "\(result.errors)")
    try town.waitForProfile()
    try town.expectNose(true, "\(town.data)/profile.jpg")
  }

  @Test func `a press outside the lock screen opens the app with the intent`() throws {
    let town = try Town(TestUser.available[0])
    #expect(try town.clowntown("makeup", "on").code == 0)
    let result = try town.press(from: "elsewhere")
    #expect(result.code == 0, "\(result.errors)")
    let log = try awaitLog(town, until: "the booth is open, with make-up")
    #expect(log.contains("the booth is open, with make-up"), "\(log)")
  }

  /// Returns the app's output after it contains a text, or after a timeout.
  private func awaitLog(_ town: Town, until text: String) throws -> String {
    var log = ""
    _ = try TestTimeout.waitUntil {
      let bytes = try FileSystem.contents("\(town.home.root)/apps/\(Self.app)/open.log") ?? []
      log = String(decoding: bytes, as: UTF8.self)
      return log.contains(text)
    }
    return log
  }
}
