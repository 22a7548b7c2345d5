// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// The installed app of ``PrewarmFixture`` and a server that launches its extension.
final class ServerPrewarmFixture {
  /// The camera of all launches.
  static let camera = "pattern:64x48@60"
  /// The ID of the extension.
  static let captureExtension = "\(PrewarmFixture.app).capture"

  let home: TestHome
  let server: RunningServer

  /// Installs the app, whose extension runs until its dismissal, and starts a server.
  init(_ user: TestUser, options: [String] = [], isCameraAllowed: Bool = false) throws {
    home = try TestHome(user)
    try FileSystem.makeDirectories(home.file("App/Extensions/Capture"), mode: 0o755)
    let program = "\(home.programs.directory)/bin/darkroom-waiting-extension"
    try runShell("cp '\(program)' '\(home.file("App/Extensions/Capture/capture"))'")
    let home = home
    try Self.install(in: home)
    if isCameraAllowed {
      try Self.runDarkroom(home, "permission", "set", PrewarmFixture.app, "camera", "authorized")
    }
    server = try RunningServer(home, options: options)
  }

  /// Installs the app with a name.
  static func install(in home: TestHome, name: String = "Warm") throws {
    try home.write(
      "App/app.json",
      """
      {
        "id": "\(PrewarmFixture.app)", "name": "\(name)", "usageDescriptions": {"camera": "The tests look."},
        "controls": [{"id": "shutter", "title": "Shoot", "extension": "\(captureExtension)"}]
      }
      """
    )
    try home.write(
      "App/Extensions/Capture/extension.json",
      """
      {
        "id": "\(captureExtension)", "name": "\(name)", "executable": "capture", "protocol": "1",
        "arguments": ["stay"], "usageDescriptions": {"camera": "The tests look."}, "warm": true
      }
      """
    )
    try home.install(home.file("App"))
  }

  /// Runs a command and requires that it succeeds.
  static func runDarkroom(
    _ home: TestHome,
    _ arguments: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try home.darkroom(arguments[0], Array(arguments.dropFirst()))
    try #require(result.code == 0, "\(result.errors)", sourceLocation: sourceLocation)
  }

  /// A session that `darkroom ps` lists.
  struct ListedSession: Equatable {
    /// The session ID.
    var id: String
    /// The listed host PID.
    var host: Int32
    /// The listed state, such as `awaitPrewarmed`.
    var state: String
  }

  /// Returns the sessions that `darkroom ps` lists.
  func listedSessions() throws -> [ListedSession] {
    let list = try home.json(home.darkroom("ps", ["--json"]).output)["sessions"]?.elements ?? []
    return list.map {
      ListedSession(
        id: $0["session"]?.string ?? "",
        host: Int32($0["hostProcess"]?.integer ?? 0),
        state: $0["state"]?.string ?? ""
      )
    }
  }

  /// Waits until another prewarmed session than the known one is listed.
  func awaitListedPrewarmed(otherThan known: String = "", sourceLocation: SourceLocation = #_sourceLocation)
    throws
    -> ListedSession
  {
    var found: ListedSession?
    try server.command.wait(
      until: {
        found = try self.listedSessions().first { $0.state == "prewarmed" && $0.id != known }
        return found != nil
      },
      sourceLocation: sourceLocation
    )
    return try #require(found, sourceLocation: sourceLocation)
  }

  /// Waits until another prewarmed session than the known one can be launched. It is listed from the creation
  /// of its directory, but launches do not use it before its program has started.
  func awaitPrewarmed(otherThan known: String = "", sourceLocation: SourceLocation = #_sourceLocation) throws
    -> ListedSession
  {
    let found = try awaitListedPrewarmed(otherThan: known, sourceLocation: sourceLocation)
    try server.command.wait(
      until: { try serverFinding().contains("; 1 of at most") },
      sourceLocation: sourceLocation
    )
    return found
  }

  /// Waits until a session is no longer listed.
  func awaitRemoval(_ slot: ListedSession, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try server.command.wait(
      until: { try !self.listedSessions().contains { $0.id == slot.id } },
      sourceLocation: sourceLocation
    )
  }

  /// A finished session.
  struct Session {
    /// The session record.
    var record: JSONValue
    /// The text that the extension has written.
    var observations: String

    /// The session ID.
    var id: String { record["sessionID"]?.string ?? "" }
    /// Whether the session used a prewarmed extension.
    var isPrewarmed: Bool { record["steps"]?.elements?.first?["name"] == "warm" }
  }

  /// Runs a session that is stopped as soon as its extension has started.
  func run(sourceLocation: SourceLocation = #_sourceLocation) throws -> Session {
    let command = try start()
    try command.wait(
      until: {
        try self.home.names("sessions").contains { name in
          let file = "\(self.home.root)/sessions/\(name)/content/seen"
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
    let arguments = ["--camera", Self.camera, "--record", home.file("record.json")]
    return try home.startDarkroom("run", arguments + [Self.captureExtension])
  }

  /// Presses the control on the lock screen.
  func press() throws -> Command {
    let arguments = [
      "press", "--from", "lockscreen", "--camera", Self.camera, "--record", home.file("record.json"),
    ]
    return try home.startDarkroom("control", arguments + ["\(PrewarmFixture.app)/shutter"])
  }

  /// Waits until the extension of a session has written its file.
  func awaitContent(_ id: String, _ command: Command) throws {
    let file = "\(home.root)/sessions/\(id)/content/seen"
    try command.wait { try FileSystem.status(file)?.size ?? 0 > 0 }
  }

  /// Returns the last session with a record.
  func session() throws -> Session {
    let record = try home.json(try #require(try FileSystem.contents(home.file("record.json"))))
    let id = record["sessionID"]?.string ?? ""
    let content = "\(home.root)/apps/\(PrewarmFixture.app)/container/SessionContent/\(id)/seen"
    let bytes = (try? FileSystem.contents(content)) ?? []
    return Session(record: record, observations: String(decoding: bytes, as: UTF8.self))
  }

  /// Returns the doctor's detail about the server.
  func serverFinding() throws -> String {
    let doctor = try home.json(try home.darkroom("doctor", ["--json"]).output)
    return doctor["machine"]?.elements?.first { $0["name"]?.string == "server" }?["detail"]?.string ?? ""
  }
}
