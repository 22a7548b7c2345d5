// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of sandboxed sessions in a simulated environment, which darkroom-scenario sets up.
@Suite(.timeLimit(.minutes(20)), .waiting) struct SurroundingsTests {
  /// The scenario of a launch by a control on the lock screen.
  static let pressed = #""surface":"lockScreen","control":"shutter""#

  /// Runs Misbehaving with orders in a scenario, and returns the output and the outcome.
  private func play(
    _ world: String,
    _ orders: String,
    _ place: Place
  ) throws -> (text: String, outcome: JSONValue) {
    let record = place.file("record.json")
    let result = try start(world, orders, place).end()
    try #require(result.code == 0, "\(result.errors)\(result.text)")
    let outcome = try place.json(try #require(try FileSystem.contents(record)))["outcome"]
    return (result.text, try #require(outcome))
  }

  private func start(_ world: String, _ orders: String, _ place: Place) throws -> Command {
    let programs = "\(place.programs.directory)/bin"
    return try place.start(
      [
        "\(programs)/darkroom-scenario", place.root, place.file("record.json"), "{\(world)}",
        "\(programs)/Misbehaving",
      ] + orders.split(separator: " ").map(String.init)
    )
  }

  private func mail(_ place: Place) throws -> [JSONValue] {
    let directory = "apps/org.example.scenario/container/Activities"
    return try place.names(directory).map { name in
      try place.json(try #require(try FileSystem.contents("\(place.root)/\(directory)/\(name)")))
    }
  }

  @Test(arguments: Person.available)
  func `an app is opened when its person has proved who they are, and finds everything`(person: Person) throws
  {
    let place = try Place(person)
    let world = #"\#(Self.pressed),"lock":"locked","answer":"succeeded""#
    let (text, outcome) = try play(world, "leave=file open-application=once", place)
    #expect(text.contains("asked to open the app\nopen-application=once: {}"))
    #expect(text.contains("opens org.darkroom.misbehaving: all is there"))
    #expect(outcome["by"]?.string == "applicationOpened")
    let mail = try mail(place)
    #expect(mail.count == 1)
    #expect(mail.first?["reason"]?.string == "captureExtension")
    #expect(mail.first?["control"]?.string == "shutter")
    #expect(mail.first?["activity"]?["userInfo"] == ["n": 1])
  }

  @Test(arguments: Person.available, ["failed", "cancelled", "timedOut", "tooManyAttempts"])
  func `a person who has not proved who they are keeps the session, and the reason is told`(
    person: Person,
    answer: String
  ) throws {
    let place = try Place(person)
    let world = #"\#(Self.pressed),"lock":"locked","answer":"\#(answer)""#
    let (text, outcome) = try play(world, "open-application=once leave=file dismiss", place)
    #expect(text.contains(#""code":4011"#) && text.contains(#""data":{"reason":"\#(answer)"}"#))
    #expect(text.contains("leave=file: ok"))
    #expect(outcome["by"]?.string == "extension")
    #expect(try mail(place).isEmpty)
  }

  @Test(arguments: Person.available)
  func `of two requests for the app at once the second is busy, and an unlock answers the first`(
    person: Person
  ) throws {
    let place = try Place(person)
    let world =
      #"\#(Self.pressed),"lock":"locked","answer":"never","script":"wait 200ms\nunlock""#
    let (text, outcome) = try play(
      world,
      "leave=file camera=start subscribe open-application=twice",
      place
    )
    #expect(text.contains(#"open-application=second: {"code":4013"#))
    #expect(text.contains("asks no more\nopen-application=twice: {}"))
    #expect(outcome["by"]?.string == "applicationOpened")
    #expect(try mail(place).count == 1)
  }

  @Test(
    arguments: Person.available,
    [
      (#""surface":"lockScreen","control":"shutter","app":"missing""#, 4010, "is not installed"),
      (#""surface":"lockScreen","control":"shutter","app":"none""#, 4010, "can open no app"),
      (#""surface":"lockScreen","control":"shutter","lock":"locked""#, 4011, "no way to ask is set up"),
      (#""lock":"unlocked""#, 4012, "within 10 seconds of a capture event"),
    ] as [(String, Int, String)]
  )
  func `an app that cannot be opened now is refused with the reason, and the session goes on`(
    person: Person,
    world: (text: String, code: Int, reason: String)
  ) throws {
    let place = try Place(person)
    let (text, outcome) = try play(world.text, "open-application=once leave=file dismiss", place)
    #expect(text.contains("\"code\":\(world.code)") && text.contains(world.reason), "\(text)")
    #expect(text.contains("leave=file: ok"))
    #expect(outcome["by"]?.string == "extension")
    #expect(try mail(place).isEmpty)
  }

  @Test(
    arguments: Person.available,
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
  func `the watchdog ends whoever is no camera, and the outcome names what was missing`(
    person: Person,
    orders: (words: String, missing: [String])
  ) throws {
    // If nothing is missing, idleness ends the session and the watchdog does not.
    let world = orders.missing.isEmpty ? #""watchdog":1,"idle":2"# : #""watchdog":0.5"#
    let (text, outcome) = try play(world, orders.words, try Place(person))
    guard !orders.missing.isEmpty else {
      #expect(outcome["by"]?.string == "idle", "\(outcome.text()) \(text)")
      return
    }
    #expect(outcome["kind"]?.string == "watchdog", "\(text)")
    #expect(outcome["missing"]?.elements?.compactMap(\.string) == orders.missing)
    let came = outcome["came"]?.members?.map(\.name) ?? []
    #expect(Set(came + orders.missing).count == 3)
  }

  @Test(arguments: Person.available, ["good", "header", "huge", "torn", "other", "zero", "never", "far"])
  func `whatever an extension writes into its viewfinder, the host goes on`(person: Person, lie: String)
    throws
  {
    let place = try Place(person)
    let world = #""preview":"\#(place.file("viewfinder.y4m"))""#
    let (text, outcome) = try play(world, "camera=start preview=\(lie) leave=file dismiss", place)
    #expect(text.contains("preview=\(lie): shown, shrink EPERM"))
    #expect(text.contains("leave=file: ok"))
    #expect(outcome["ending"] == ["kind": "exited", "exitCode": 0])
    let record = try place.json(try #require(try FileSystem.contents(place.file("record.json"))))
    // A frame that was not shown, or has an invalid capture time, has no latency.
    let latency = record["frames"]?["latency"]
    #expect((latency?["frames"] == 1) == ["good", "header"].contains(lie), "\(record.text())")
  }

  @Test(arguments: Person.available)
  func `an extension that stands still keeps the camera from nothing`(person: Person) throws {
    let place = try Place(person)
    let world = #""grace":0.1,"script":"wait 500ms\ndismiss""#
    let (text, _) = try play(world, "camera=start subscribe consume bomb=stop", place)
    #expect(text.contains("consume: ok"))
    let record = try place.json(try #require(try FileSystem.contents(place.file("record.json"))))
    // The number of frames exceeds the capacity of the ring.
    #expect(record["frames"]?["produced"]?.integer ?? 0 > 5, "\(record.text())")
  }

  @Test(arguments: Person.available)
  func `a viewfinder is shown as a stream that other programs read`(person: Person) throws {
    let place = try Place(person)
    let shown = place.file("viewfinder.y4m")
    // The host shows the newest frame. After two answers it has read the first one.
    let orders = "preview=good subscribe unsubscribe preview=other sleep=100 dismiss"
    _ = try play(#""preview":"\#(shown)""#, orders, place)
    let bytes = try #require(try FileSystem.contents(shown))
    let header = "YUV4MPEG2 W64 H48 F60:1 Ip A1:1 C420jpeg XCOLORRANGE=FULL\nFRAME\n"
    #expect(String(decoding: bytes.prefix(header.utf8.count), as: UTF8.self) == header)
    // The invalid frame is not shown.
    let pixels = bytes.dropFirst(header.utf8.count)
    #expect(pixels.count == 64 * 48 * 3 / 2 && pixels.allSatisfy { $0 == 200 })
  }

  @Test(arguments: Person.available)
  func `a pipe that nobody reads keeps no session from ending`(person: Person) throws {
    let place = try Place(person)
    let pipe = place.file("viewfinder.pipe")
    try #require(mkfifo(pipe, 0o666) == 0)
    try place.give(pipe)
    let (text, outcome) = try play(
      #""preview":"\#(pipe)""#,
      "preview=good leave=file dismiss",
      place
    )
    #expect(text.contains("leave=file: ok"))
    #expect(outcome["ending"] == ["kind": "exited", "exitCode": 0])
  }

  @Test(arguments: Person.available)
  func `a camera that is taken away gives no more frames, and is not given again`(person: Person) throws {
    let place = try Place(person)
    let orders =
      "camera=start consume ring=0 await=permission/changed ring=5000 frames=50 frames=300 camera=start "
      + "photos=authorization dismiss"
    let command = try start(#""watchdog":60"#, orders, place)
    try command.wait { try String(decoding: output(of: place), as: UTF8.self).contains("consume: ok") }
    try FileSystem.replaceContents("\(place.root)/apps/org.example.scenario/revoked", with: [])
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

  private func output(of place: Place) throws -> [UInt8] {
    try FileSystem.contents(place.file("command-1.out")) ?? []
  }

  @Test(arguments: Person.available)
  func `a dismissal waits for what is being finished, but not for ever`(person: Person) throws {
    let held = try play(
      #""grace":0.2,"cap":0.4"#,
      "ignore-sigterm activity=begin dismiss",
      try Place(person)
    )
    #expect(held.text.contains("the session waits for what is being finished: closing the film"))
    #expect(held.outcome["ending"] == ["kind": "outstayed"])
    let finished = try play(
      #""grace":0.2,"cap":30"#,
      "activity=begin dismiss sleep=600 leave=file activity=end",
      try Place(person)
    )
    #expect(finished.text.contains("leave=file: ok\nactivity=end: {}"))
    #expect(finished.outcome["ending"] == ["kind": "exited", "exitCode": 0])
  }

  @Test(
    arguments: Person.available,
    [("idle", #""idle":0.3"#, "idle"), ("power", #""script":"power""#, "powerKey")]
      + [("lock", #""surface":"lockScreen","script":"lock""#, "lockChanged")]
  )
  func `a session can be dismissed by idleness, the power key and the lock`(
    person: Person,
    cause: (name: String, world: String, by: String)
  ) throws {
    let (text, outcome) = try play(
      cause.world,
      "camera=start subscribe await=session/willDismiss dismiss",
      try Place(person)
    )
    #expect(outcome["by"]?.string == cause.by)
    let reason = cause.name == "power" ? "powerKey" : cause.name
    #expect(text.contains(#"await=session/willDismiss: {"reason":"\#(reason)""#), "\(text)")
  }

  @Test(arguments: Person.available)
  func `a lock does not end a session that was not launched from the lock screen, and it is told`(
    person: Person
  ) throws {
    let (text, outcome) = try play(
      #""script":"lock\norientation landscapeLeft""#,
      "camera=start subscribe await=lock/changed await=scene/changed dismiss",
      try Place(person)
    )
    #expect(text.contains(#"await=lock/changed: {"lockState":"locked"}"#))
    #expect(text.contains(#"await=scene/changed: {"phase":"active","orientation":"landscapeLeft"}"#))
    #expect(outcome["by"]?.string == "extension")
  }

  @Test(arguments: Person.available)
  func `a second session in front of the person is refused by the name of the first`(person: Person) throws {
    let place = try Place(person)
    let first = try start(Self.pressed, "camera=start", place)
    try first.wait { try String(decoding: output(of: place), as: UTF8.self).contains("camera=start: ") }
    let second = try start(Self.pressed, "dismiss", place).end()
    #expect(second.text.contains("refused: another session is in front of the person"))
    #expect(second.text.contains("org.example.scenario.extension (session "))
    // A session that does not need the foreground runs concurrently.
    let beside = try start("", "leave=file dismiss", place).end()
    #expect(beside.text.contains("leave=file: ok"))
    first.signal(15)
    #expect(try first.end().code == 0)
    let third = try start(Self.pressed, "leave=file dismiss", place).end()
    #expect(third.text.contains("leave=file: ok"))
  }

  @Test(arguments: Person.available)
  func `a film that is being added keeps nobody waiting, and is answered in its turn`(person: Person) throws {
    let place = try Place(person)
    let hold = try place.write("hold", "")
    let world = #""library":"\#(place.file("library"))","hold":"\#(hold)","script":"press""#
    let command = try start(
      world,
      "film=1 photos-add-later=film.mov camera=start subscribe await=capture/event await=capture/event "
        + "photos-answer dismiss",
      place
    )
    // The wait has a timeout: a host that copies on the session's thread would not start the camera.
    try command.wait {
      String(decoding: try output(of: place), as: UTF8.self).contains(#""phase":"ended""#)
    }
    let before = String(decoding: try output(of: place), as: UTF8.self)
    #expect(!before.contains("photos-answer"))
    let lines = before.split(separator: "\n").filter { $0.hasPrefix("await=capture/event") }
    #expect(lines.count == 2 && lines.first?.contains(#""phase":"began""#) == true)
    try FileSystem.unlink(hold)
    let result = try command.end()
    #expect(result.text.contains(#"photos-answer: {"asset":{"id":"#), "\(result.text)\(result.errors)")
  }

  @Test(arguments: Person.available)
  func `content that is erased in mid-session is gone, and what comes after is kept`(person: Person) throws {
    let place = try Place(person)
    let (text, _) = try play("", "leave=many leave=deep invalidate leave=file dismiss", place)
    #expect(text.contains(#"invalidate: {"files":200"#), "\(text)")
    let record = try place.json(try #require(try FileSystem.contents(place.file("record.json"))))
    #expect(record["files"]?.elements?.count == 1)
  }
}
