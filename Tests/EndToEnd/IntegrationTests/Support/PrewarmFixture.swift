// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// An installed app whose extension can be prewarmed, and a host that prewarms it.
final class PrewarmFixture {
  /// The ID of the app.
  static let app = "org.example.warm"

  let home: TestHome
  private let host: InteractiveProcess

  /// Installs the app and starts the host. `order` is the behavior of the extension before its launch.
  /// `limits` are the limits of the prewarming pool.
  init(
    _ user: TestUser,
    _ order: String = "",
    limits: [String] = [],
    isPrewarmed: Bool = true,
    at existingHome: TestHome? = nil
  ) throws {
    home = try existingHome ?? TestHome(user)
    try FileSystem.makeDirectories(home.file("App/Extensions/Capture"), mode: 0o755)
    try home.write(
      "App/app.json",
      """
      {"id": "\(Self.app)", "name": "Warm", "usageDescriptions": {"camera": "The tests look."}}
      """
    )
    try home.write(
      "App/Extensions/Capture/extension.json",
      """
      {
        "id": "\(Self.app).capture", "name": "Capture", "executable": "capture", "protocol": "1",
        "arguments": ["\(order)"], "usageDescriptions": {"camera": "The tests look."}, "warm": \(isPrewarmed)
      }
      """
    )
    try runShell(
      "cp '\(home.programs.directory)/bin/darkroom-waiting-extension' '\(home.file("App/Extensions/Capture/capture"))'"
    )
    try home.install(home.file("App"))
    host = try InteractiveProcess(
      user.commandPrefix
        + ["\(home.programs.directory)/bin/darkroom-warm-host", home.root, "\(Self.app).capture"] + limits
    )
  }

  /// Sends a command to the host and returns its answer.
  @discardableResult
  func request(_ arguments: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> JSONValue {
    host.sendLine(arguments)
    let line = try #require(host.readLine(), "the host has ended", sourceLocation: sourceLocation)
    let answer = try home.json(Array(line.utf8))
    #expect(answer["error"] == nil, sourceLocation: sourceLocation)
    return answer
  }

  /// Waits for a number of prewarmed sessions and returns their IDs.
  func awaitPrewarmed(_ count: Int) throws -> [String] {
    try request("await \(count)")["waiting"]?.elements?.compactMap(\.string) ?? []
  }

  /// Waits until no start or end is pending, and returns the prewarmed sessions.
  @discardableResult
  func awaitIdle(sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
    try request("settle", sourceLocation: sourceLocation)["waiting"]?.elements?.compactMap(\.string) ?? []
  }

  /// Prewarms a session and returns its ID.
  func prewarm(_ change: String = "") throws -> String {
    try request("start \(change)")
    return try #require(try awaitPrewarmed(1).first)
  }

  /// Starts a session that does not end, and waits for its first file.
  func launch(_ slot: String) throws {
    host.sendLine("run")
    let file = "\(home.root)/sessions/\(slot)/content/seen"
    try eventually { try FileSystem.status(file) != nil }
  }

  /// Creates a file in the directory of a prewarmed session, as its extension could.
  func createFile(_ name: String, in slot: String) throws {
    _ = try FileSystem.open("\(home.root)/sessions/\(slot)/content/\(name)", [.write, .create])
  }

  /// Waits until a condition is met; records an issue after the timeout.
  func eventually(_ condition: () throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation) throws {
    guard try !TestTimeout.waitUntil(everyMilliseconds: 1, condition) else { return }
    Issue.record("it never came to be", sourceLocation: sourceLocation)
  }

  /// Returns the number of ended prewarmed sessions by reason.
  func endReasonCounts() throws -> [String: Int64] {
    let members = try request("ends").members ?? []
    return Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value.integer ?? 0) })
  }

  /// Kills the host.
  func kill() { host.terminate() }

  /// Ends all prewarmed sessions and the host, and checks that nothing is left.
  func end(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try request("close", sourceLocation: sourceLocation)
    host.terminate()
    try home.expectNothingLeft(sourceLocation: sourceLocation)
  }
}

extension PrewarmFixture {
  /// The result of a session.
  struct Session {
    /// The session record.
    var record: JSONValue
    /// The values that the extension has written.
    var observations: [String: String] = [:]

    /// The session ID.
    var id: String? { record["sessionID"]?.string }
    /// Whether the session used a prewarmed extension.
    var isPrewarmed: Bool { steps.first == "warm" }
    /// The start time of the session.
    var startedAt: String { record["startedAt"]?.string ?? "" }
    /// The delivered files.
    var files: [String] { record["files"]?.elements?.compactMap { $0["path"]?.string } ?? [] }
    private var steps: [String] { record["steps"]?.elements?.compactMap { $0["name"]?.string } ?? [] }
    /// The members of the record that are equal in all sessions.
    var comparableFields: JSONValue {
      .object(
        ["outcome", "permissions", "policy", "executable", "quarantined", "violations", "refusals", "log"].map
        {
          JSONValue.Member($0, record[$0] ?? .null)
        }
      )
    }
  }

  /// Runs a session with a changed input.
  func run(_ change: String = "", sourceLocation: SourceLocation = #_sourceLocation) throws -> Session {
    let answer = try request("run \(change)", sourceLocation: sourceLocation)
    var session = Session(record: try #require(answer["record"], sourceLocation: sourceLocation))
    if let content = answer["content"]?.string, let bytes = try FileSystem.contents("\(content)/seen") {
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        session.observations[String(parts[0])] = String(parts[1])
      }
    }
    return session
  }
}
