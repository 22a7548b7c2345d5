// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of sandboxed sessions in a simulated environment, which darkroom-scenario sets up.
@Suite(.timeLimit(.minutes(20)), .waiting) struct SessionScenarioTests {
  /// The scenario of a launch by a control on the lock screen.
  static let lockScreenPress = #""surface":"lockScreen","control":"shutter""#

  /// Runs Misbehaving with orders in a scenario, and returns the output and the outcome.
  private func run(
    _ scenario: String,
    _ orders: String,
    _ home: TestHome
  ) throws -> (text: String, outcome: JSONValue) {
    let record = home.file("record.json")
    let result = try start(scenario, orders, home).end()
    try #require(result.code == 0, "\(result.errors)\(result.text)")
    let outcome = try home.json(try #require(try FileSystem.contents(record)))["outcome"]
    return (result.text, try #require(outcome))
  }

  private func start(_ scenario: String, _ orders: String, _ home: TestHome) throws -> Command {
    let programs = "\(home.programs.directory)/bin"
    return try home.start(
      [
        "\(programs)/darkroom-scenario", home.root, home.file("record.json"), "{\(scenario)}",
        "\(programs)/Misbehaving",
      ] + orders.split(separator: " ").map(String.init)
    )
  }

  private func deliveredActivities(_ home: TestHome) throws -> [JSONValue] {
    let directory = "apps/org.example.scenario/container/Activities"
    return try home.names(directory).map { name in
      try home.json(try #require(try FileSystem.contents("\(home.root)/\(directory)/\(name)")))
    }
  }

  @Test(arguments: TestUser.available)
  func `opens the app after authentication, and the app finds the content and the activity`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    let scenario = #"\#(Self.lockScreenPress),"lock":"locked","answer":"succeeded""#
    let (text, outcome) = try run(scenario, "leave=file open-application=once", home)
    // The host and the extension write to the same output, so that other lines of the extension can be between.
    let lines = text.split(separator: "\n")
    let question = try #require(lines.firstIndex(of: "asked to open the app"), "\(text)")
    #expect(lines[question...].contains { $0.hasPrefix("open-application=once: {}") }, "\(text)")
    #expect(!lines[..<question].contains { $0.hasPrefix("open-application") })
    #expect(text.contains("opens org.darkroom.misbehaving: complete"))
    #expect(outcome["by"]?.string == "applicationOpened")
    let deliveredActivities = try deliveredActivities(home)
    #expect(deliveredActivities.count == 1)
    #expect(deliveredActivities.first?["reason"]?.string == "captureExtension")
    #expect(deliveredActivities.first?["control"]?.string == "shutter")
    #expect(deliveredActivities.first?["activity"]?["userInfo"] == ["n": 1])
  }

  @Test(arguments: TestUser.available, ["failed", "cancelled", "timedOut", "tooManyAttempts"])
  func `a session continues after failed authentication, and the extension gets the reason`(
    user: TestUser,
    answer: String
  ) throws {
    let home = try TestHome(user)
    let scenario = #"\#(Self.lockScreenPress),"lock":"locked","answer":"\#(answer)""#
    let (text, outcome) = try run(scenario, "open-application=once leave=file dismiss", home)
    #expect(text.contains(#""code":4011"#) && text.contains(#""data":{"reason":"\#(answer)"}"#))
    #expect(text.contains("leave=file: ok"))
    #expect(outcome["by"]?.string == "extension")
    #expect(try deliveredActivities(home).isEmpty)
  }

  @Test(arguments: TestUser.available)
  func `answers a second request to open the app with busy, and unlocking answers the first`(
    user: TestUser
  ) throws {
    let home = try TestHome(user)
    let scenario =
      #"\#(Self.lockScreenPress),"lock":"locked","answer":"never","script":"wait 200ms\nunlock""#
    let (text, outcome) = try run(
      scenario,
      "leave=file camera=start subscribe open-application=twice",
      home
    )
    #expect(text.contains(#"open-application=second: {"code":4013"#))
    #expect(text.contains("asks no more\nopen-application=twice: {}"))
    #expect(outcome["by"]?.string == "applicationOpened")
    #expect(try deliveredActivities(home).count == 1)
  }

  @Test(
    arguments: TestUser.available,
    [
      (#""surface":"lockScreen","control":"shutter","app":"missing""#, 4010, "is not installed"),
      (#""surface":"lockScreen","control":"shutter","app":"none""#, 4010, "cannot open apps"),
      (
        #""surface":"lockScreen","control":"shutter","lock":"locked""#, 4011,
        "no authentication is configured"
      ),
      (#""lock":"unlocked""#, 4012, "within 10 seconds of a capture event"),
    ] as [(String, Int, String)]
  )
  func `refuses to open an unavailable app with the reason, and the session continues`(
    user: TestUser,
    scenario: (text: String, code: Int, reason: String)
  ) throws {
    let home = try TestHome(user)
    let (text, outcome) = try run(scenario.text, "open-application=once leave=file dismiss", home)
    #expect(text.contains("\"code\":\(scenario.code)") && text.contains(scenario.reason), "\(text)")
    #expect(text.contains("leave=file: ok"))
    #expect(outcome["by"]?.string == "extension")
    #expect(try deliveredActivities(home).isEmpty)
  }

  @Test(
    arguments: TestUser.available,
    [
      ("", ["cameraAccess", "viewfinder", "captureEvents"]),
      ("subscribe", ["cameraAccess", "viewfinder"]),
      ("camera=start subscribe presented", ["viewfinder"]),
      ("camera=start consume subscribe", ["viewfinder"]),
      ("camera=start consume presented", ["captureEvents"]),
      ("camera=start consume presented subscribe camera=stop", []),
      ("camera=start consume preview=good subscribe unsubscribe", []),
      ("camera=start consume preview=torn subscribe", ["viewfinder"]),
    ] as [(String, [String])]
  )
  func `the watchdog ends an extension that is not a camera and records what was missing`(
    user: TestUser,
    orders: (arguments: String, missing: [String])
  ) throws {
    // If nothing is missing, idleness ends the session and the watchdog does not.
    let scenario = orders.missing.isEmpty ? #""watchdog":1,"idle":2"# : #""watchdog":0.5"#
    let (text, outcome) = try run(scenario, orders.arguments, try TestHome(user))
    guard !orders.missing.isEmpty else {
      #expect(outcome["by"]?.string == "idle", "\(outcome.text()) \(text)")
      return
    }
    #expect(outcome["kind"]?.string == "watchdog", "\(text)")
    #expect(outcome["missing"]?.elements?.compactMap(\.string) == orders.missing)
    let satisfiedAt = outcome["satisfied"]?.members?.map(\.name) ?? []
    #expect(Set(satisfiedAt + orders.missing).count == 3)
  }

  @Test(arguments: TestUser.available, ["good", "header", "huge", "torn", "other", "zero", "never", "far"])
  func `the host survives every invalid viewfinder`(user: TestUser, preview: String)
    throws
  {
    let home = try TestHome(user)
    let scenario = #""preview":"\#(home.file("viewfinder.y4m"))""#
    let (text, outcome) = try run(scenario, "camera=start preview=\(preview) leave=file dismiss", home)
    #expect(text.contains("preview=\(preview): shown, shrink EPERM"))
    #expect(text.contains("leave=file: ok"))
    #expect(outcome["ending"] == ["kind": "exited", "exitCode": 0])
    let record = try home.json(try #require(try FileSystem.contents(home.file("record.json"))))
    // A frame that was not shown, or has an invalid capture time, has no latency.
    let latency = record["frames"]?["latency"]
    #expect((latency?["frames"] == 1) == ["good", "header"].contains(preview), "\(record.text())")
  }

  @Test(arguments: TestUser.available)
  func `the camera continues while the extension is stopped`(user: TestUser) throws {
    let home = try TestHome(user)
    let scenario = #""grace":0.1,"script":"wait 500ms\ndismiss""#
    let (text, _) = try run(scenario, "camera=start subscribe consume bomb=stop", home)
    #expect(text.contains("consume: ok"))
    let record = try home.json(try #require(try FileSystem.contents(home.file("record.json"))))
    // The number of frames exceeds the capacity of the ring.
    #expect(record["frames"]?["produced"]?.integer ?? 0 > 5, "\(record.text())")
  }

  @Test(arguments: TestUser.available)
  func `writes the viewfinder as a stream that other programs can read`(user: TestUser) throws {
    let home = try TestHome(user)
    let shown = home.file("viewfinder.y4m")
    // The host shows the newest frame. After two answers it has read the first one.
    let orders = "preview=good subscribe unsubscribe preview=other sleep=100 dismiss"
    _ = try run(#""preview":"\#(shown)""#, orders, home)
    let bytes = try #require(try FileSystem.contents(shown))
    let header = "YUV4MPEG2 W64 H48 F60:1 Ip A1:1 C420jpeg XCOLORRANGE=FULL\nFRAME\n"
    #expect(String(decoding: bytes.prefix(header.utf8.count), as: UTF8.self) == header)
    // The invalid frame is not shown.
    let pixels = bytes.dropFirst(header.utf8.count)
    #expect(pixels.count == 64 * 48 * 3 / 2 && pixels.allSatisfy { $0 == 200 })
  }

  @Test(arguments: TestUser.available)
  func `a preview pipe without a reader does not block the end of a session`(user: TestUser) throws {
    let home = try TestHome(user)
    let pipe = home.file("viewfinder.pipe")
    try #require(mkfifo(pipe, 0o666) == 0)
    try home.giveOwnership(pipe)
    let (text, outcome) = try run(
      #""preview":"\#(pipe)""#,
      "preview=good leave=file dismiss",
      home
    )
    #expect(text.contains("leave=file: ok"))
    #expect(outcome["ending"] == ["kind": "exited", "exitCode": 0])
  }

  @Test(arguments: TestUser.available)
  func `a revoked camera delivers no more frames and is not granted again`(user: TestUser) throws {
    let home = try TestHome(user)
    let orders =
      "camera=start consume ring=0 await=permission/changed ring=5000 frames=50 frames=300 camera=start "
      + "photos=authorization dismiss"
    let command = try start(#""watchdog":60"#, orders, home)
    try command.wait { try String(decoding: output(of: home), as: UTF8.self).contains("consume: ok") }
    try FileSystem.replaceContents("\(home.root)/apps/org.example.scenario/revoked", with: [])
    let result = try command.end()
    #expect(result.text.contains(#"await=permission/changed: {"permissions":{"camera":"denied""#))
    #expect(
      result.text.contains("ring=0: frames\n") && result.text.contains("ring=5000: empty\n"),
      "\(result.text)"
    )
    #expect(result.text.contains("frames=300: 0\n"), "\(result.text)")
    #expect(result.text.contains(#"camera=start: {"code":4003"#))
    #expect(result.text.contains(#"photos=authorization: {"status":"authorized"}"#))
  }

  private func output(of home: TestHome) throws -> [UInt8] {
    try FileSystem.contents(home.file("command-1.out")) ?? []
  }

  @Test(arguments: TestUser.available)
  func `a dismissal waits for declared activities up to a limit`(user: TestUser) throws {
    let held = try run(
      #""grace":0.2,"cap":0.4"#,
      "ignore-sigterm activity=begin dismiss",
      try TestHome(user)
    )
    #expect(held.text.contains("the session waits for its activities: closing the film"))
    #expect(held.outcome["ending"] == ["kind": "timedOut"])
    let finished = try run(
      #""grace":0.2,"cap":30"#,
      "activity=begin dismiss sleep=600 leave=file activity=end",
      try TestHome(user)
    )
    #expect(finished.text.contains("leave=file: ok\nactivity=end: {}"))
    #expect(finished.outcome["ending"] == ["kind": "exited", "exitCode": 0])
  }

  @Test(
    arguments: TestUser.available,
    [("idle", #""idle":0.3"#, "idle"), ("power", #""script":"power""#, "powerKey")]
      + [("lock", #""surface":"lockScreen","script":"lock""#, "lockChanged")]
  )
  func `idleness, the power key and the lock dismiss a session`(
    user: TestUser,
    cause: (name: String, scenario: String, by: String)
  ) throws {
    let (text, outcome) = try run(
      cause.scenario,
      "camera=start subscribe await=session/willDismiss dismiss",
      try TestHome(user)
    )
    #expect(outcome["by"]?.string == cause.by)
    let reason = cause.name == "power" ? "powerKey" : cause.name
    #expect(text.contains(#"await=session/willDismiss: {"reason":"\#(reason)""#), "\(text)")
  }

  @Test(arguments: TestUser.available)
  func `notifies a session that was not launched from the lock screen of a lock`(
    user: TestUser
  ) throws {
    let (text, outcome) = try run(
      #""script":"lock\norientation landscapeLeft""#,
      "camera=start subscribe await=lock/changed await=scene/changed dismiss",
      try TestHome(user)
    )
    #expect(text.contains(#"await=lock/changed: {"lockState":"locked"}"#))
    #expect(text.contains(#"await=scene/changed: {"phase":"active","orientation":"landscapeLeft"}"#))
    #expect(outcome["by"]?.string == "extension")
  }

  @Test(arguments: TestUser.available)
  func `refuses a second session in the foreground and names the first`(user: TestUser) throws {
    let home = try TestHome(user)
    let first = try start(Self.lockScreenPress, "camera=start", home)
    try first.wait { try String(decoding: output(of: home), as: UTF8.self).contains("camera=start: ") }
    let second = try start(Self.lockScreenPress, "dismiss", home).end()
    #expect(second.text.contains("refused: another session is in the foreground"))
    #expect(second.text.contains("org.example.scenario.extension (session "))
    // A session that does not need the foreground runs concurrently.
    let beside = try start("", "leave=file dismiss", home).end()
    #expect(beside.text.contains("leave=file: ok"))
    first.signal(15)
    #expect(try first.end().code == 0)
    let third = try start(Self.lockScreenPress, "leave=file dismiss", home).end()
    #expect(third.text.contains("leave=file: ok"))
  }

  @Test(arguments: TestUser.available)
  func `answers other requests while a video is added to the photo library`(user: TestUser) throws {
    let home = try TestHome(user)
    let hold = try home.write("hold", "")
    let scenario = #""library":"\#(home.file("library"))","hold":"\#(hold)","script":"press""#
    let command = try start(
      scenario,
      "film=1 photos-add-later=film.mov camera=start subscribe await=capture/event await=capture/event "
        + "photos-answer dismiss",
      home
    )
    // The wait has a timeout: a host that copies on the session's thread would not start the camera.
    try command.wait {
      String(decoding: try output(of: home), as: UTF8.self).contains(#""phase":"ended""#)
    }
    let before = String(decoding: try output(of: home), as: UTF8.self)
    #expect(!before.contains("photos-answer"))
    let lines = before.split(separator: "\n").filter { $0.hasPrefix("await=capture/event") }
    #expect(lines.count == 2 && lines.first?.contains(#""phase":"began""#) == true)
    try FileSystem.unlink(hold)
    let result = try command.end()
    #expect(result.text.contains(#"photos-answer: {"asset":{"id":"#), "\(result.text)\(result.errors)")
  }

  @Test(arguments: TestUser.available)
  func `erases content during a session, and keeps files that are written later`(user: TestUser) throws {
    let home = try TestHome(user)
    let (text, _) = try run("", "leave=many leave=deep invalidate leave=file dismiss", home)
    #expect(text.contains(#"invalidate: {"files":200"#), "\(text)")
    let record = try home.json(try #require(try FileSystem.contents(home.file("record.json"))))
    #expect(record["files"]?.elements?.count == 1)
  }
}
