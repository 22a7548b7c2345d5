// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// The installed app of ``WarmSetting`` and a server that launches its extension.
final class ServedWarmSetting {
  /// The camera of all launches.
  static let camera = "pattern:64x48@60"
  /// The ID of the extension.
  static let captureExtension = "\(WarmSetting.app).capture"

  /// The test home.
  let place: Place
  /// The server.
  let server: RunningServer

  /// Installs the app, whose extension runs until its dismissal, and starts a server.
  init(_ person: Person, options: [String] = [], isCameraAllowed: Bool = false) throws {
    place = try Place(person)
    try FileSystem.makeDirectories(place.file("App/Extensions/Capture"), mode: 0o755)
    let program = "\(place.programs.directory)/bin/darkroom-waiting-extension"
    try runShell("cp '\(program)' '\(place.file("App/Extensions/Capture/capture"))'")
    let place = place
    try Self.install(in: place)
    if isCameraAllowed { try Self.tell(place, "permission", "set", WarmSetting.app, "camera", "authorized") }
    server = try RunningServer(place, options: options)
  }

  /// Installs the app with a name.
  static func install(in place: Place, name: String = "Warm") throws {
    try place.write(
      "App/app.json",
      """
      {
        "id": "\(WarmSetting.app)", "name": "\(name)", "usageDescriptions": {"camera": "The tests look."},
        "controls": [{"id": "shutter", "title": "Shoot", "extension": "\(captureExtension)"}]
      }
      """
    )
    try place.write(
      "App/Extensions/Capture/extension.json",
      """
      {
        "id": "\(captureExtension)", "name": "\(name)", "executable": "capture", "protocol": "1",
        "arguments": ["stay"], "usageDescriptions": {"camera": "The tests look."}, "warm": true
      }
      """
    )
    try place.install(place.file("App"))
  }

  /// Runs a command and requires that it succeeds.
  static func tell(
    _ place: Place,
    _ words: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try place.darkroom(words[0], Array(words.dropFirst()))
    try #require(result.code == 0, "\(result.errors)", sourceLocation: sourceLocation)
  }

  /// A session that `darkroom ps` lists.
  struct Shown: Equatable {
    /// The session ID.
    var id: String
    /// The listed host PID.
    var host: Int32
    /// The listed state, such as `waiting`.
    var state: String
  }

  /// Returns the sessions that `darkroom ps` lists.
  func shown() throws -> [Shown] {
    let list = try place.json(place.darkroom("ps", ["--json"]).output)["sessions"]?.elements ?? []
    return list.map {
      Shown(
        id: $0["session"]?.string ?? "",
        host: Int32($0["hostProcess"]?.integer ?? 0),
        state: $0["state"]?.string ?? ""
      )
    }
  }

  /// Waits until another prewarmed session than the known one is listed.
  func shownWaiting(otherThan known: String = "", sourceLocation: SourceLocation = #_sourceLocation) throws
    -> Shown
  {
    var found: Shown?
    try server.command.wait(
      until: {
        found = try self.shown().first { $0.state == "waiting" && $0.id != known }
        return found != nil
      },
      sourceLocation: sourceLocation
    )
    return try #require(found, sourceLocation: sourceLocation)
  }

  /// Waits until another prewarmed session than the known one can be launched. It is listed from the creation
  /// of its directory, but launches do not use it before its program has started.
  func waiting(otherThan known: String = "", sourceLocation: SourceLocation = #_sourceLocation) throws
    -> Shown
  {
    let found = try shownWaiting(otherThan: known, sourceLocation: sourceLocation)
    try server.command.wait(
      until: { try finding().contains("; 1 of at most") },
      sourceLocation: sourceLocation
    )
    return found
  }

  /// Waits until a session is no longer listed.
  func gone(_ slot: Shown, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try server.command.wait(
      until: { try !self.shown().contains { $0.id == slot.id } },
      sourceLocation: sourceLocation
    )
  }

  /// A finished session.
  struct Session {
    /// The session record.
    var record: JSONValue
    /// The text that the extension has written.
    var seen: String

    /// The session ID.
    var id: String { record["sessionID"]?.string ?? "" }
    /// Whether the session used a prewarmed extension.
    var isWarm: Bool { record["steps"]?.elements?.first?["name"] == "warm" }
  }

  /// Runs a session that is stopped as soon as its extension has started.
  func run(sourceLocation: SourceLocation = #_sourceLocation) throws -> Session {
    let command = try start()
    try command.wait(
      until: {
        try self.place.names("sessions").contains { name in
          let file = "\(self.place.root)/sessions/\(name)/content/seen"
          return try FileSystem.status(file)?.size ?? 0 > 0
        }
      },
      sourceLocation: sourceLocation
    )
    command.signal(SIGTERM)
    let result = try command.end(sourceLocation: sourceLocation)
    #expect(result.code == 75, "\(result.errors)", sourceLocation: sourceLocation)
    return try session()
  }

  /// Starts a session.
  func start() throws -> Command {
    let words = ["--camera", Self.camera, "--record", place.file("record.json")]
    return try place.startDarkroom("run", words + [Self.captureExtension])
  }

  /// Presses the control on the lock screen.
  func press() throws -> Command {
    let words = [
      "press", "--from", "lockscreen", "--camera", Self.camera, "--record", place.file("record.json"),
    ]
    return try place.startDarkroom("control", words + ["\(WarmSetting.app)/shutter"])
  }

  /// Waits until the extension of a session has written its file.
  func awaitContent(_ id: String, _ command: Command) throws {
    let file = "\(place.root)/sessions/\(id)/content/seen"
    try command.wait { try FileSystem.status(file)?.size ?? 0 > 0 }
  }

  /// Returns the last session with a record.
  func session() throws -> Session {
    let record = try place.json(try #require(try FileSystem.contents(place.file("record.json"))))
    let id = record["sessionID"]?.string ?? ""
    let content = "\(place.root)/apps/\(WarmSetting.app)/container/SessionContent/\(id)/seen"
    let bytes = (try? FileSystem.contents(content)) ?? []
    return Session(record: record, seen: String(decoding: bytes, as: UTF8.self))
  }

  /// Returns the doctor's detail about the server.
  func finding() throws -> String {
    let doctor = try place.json(try place.darkroom("doctor", ["--json"]).output)
    return doctor["machine"]?.elements?.first { $0["name"]?.string == "server" }?["detail"]?.string ?? ""
  }
}
