// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// An installed app whose extension can be prewarmed, and a host that prewarms it.
final class WarmSetting {
  /// The ID of the app.
  static let app = "org.example.warm"

  /// The test home.
  let place: Place
  private let host: Talker

  /// Installs the app and starts the host. `order` is the behavior of the extension before its launch.
  /// `limits` are the limits of the prewarming pool.
  init(
    _ person: Person,
    _ order: String = "",
    limits: [String] = [],
    isWarm: Bool = true,
    at given: Place? = nil
  ) throws {
    place = try given ?? Place(person)
    try FileSystem.makeDirectories(place.file("App/Extensions/Capture"), mode: 0o755)
    try place.write(
      "App/app.json",
      """
      {"id": "\(Self.app)", "name": "Warm", "usageDescriptions": {"camera": "The tests look."}}
      """
    )
    try place.write(
      "App/Extensions/Capture/extension.json",
      """
      {
        "id": "\(Self.app).capture", "name": "Capture", "executable": "capture", "protocol": "1",
        "arguments": ["\(order)"], "usageDescriptions": {"camera": "The tests look."}, "warm": \(isWarm)
      }
      """
    )
    try runShell(
      "cp '\(place.programs.directory)/bin/darkroom-waiting-extension' '\(place.file("App/Extensions/Capture/capture"))'"
    )
    try place.install(place.file("App"))
    host = try Talker(
      person.becoming
        + ["\(place.programs.directory)/bin/darkroom-warm-host", place.root, "\(Self.app).capture"] + limits
    )
  }

  /// Sends a command to the host and returns its answer.
  @discardableResult
  func ask(_ words: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> JSONValue {
    host.tell(words)
    let line = try #require(host.hear(), "the host has ended", sourceLocation: sourceLocation)
    let answer = try place.json(Array(line.utf8))
    #expect(answer["error"] == nil, sourceLocation: sourceLocation)
    return answer
  }

  /// Waits for a number of prewarmed sessions and returns their IDs.
  func waiting(_ count: Int) throws -> [String] {
    try ask("await \(count)")["waiting"]?.elements?.compactMap(\.string) ?? []
  }

  /// Waits until no start or end is pending, and returns the prewarmed sessions.
  @discardableResult
  func settle(sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
    try ask("settle", sourceLocation: sourceLocation)["waiting"]?.elements?.compactMap(\.string) ?? []
  }

  /// Prewarms a session and returns its ID.
  func prepare(_ change: String = "") throws -> String {
    try ask("start \(change)")
    return try #require(try waiting(1).first)
  }

  /// Starts a session that does not end, and waits for its first file.
  func launch(_ slot: String) throws {
    host.tell("run")
    let file = "\(place.root)/sessions/\(slot)/content/seen"
    try eventually { try FileSystem.status(file) != nil }
  }

  /// Creates a file in the directory of a prewarmed session, as its extension could.
  func make(_ name: String, in slot: String) throws {
    _ = try FileSystem.open("\(place.root)/sessions/\(slot)/content/\(name)", [.write, .create])
  }

  /// Waits until a condition is met; records an issue after the timeout.
  func eventually(_ isSo: () throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation) throws {
    guard try !TestPatience.comes(everyMilliseconds: 1, isSo) else { return }
    Issue.record("it never came to be", sourceLocation: sourceLocation)
  }

  /// Returns the number of ended prewarmed sessions by reason.
  func ends() throws -> [String: Int64] {
    let members = try ask("ends").members ?? []
    return Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value.integer ?? 0) })
  }

  /// Kills the host.
  func kill() { host.end() }

  /// Ends all prewarmed sessions and the host, and checks that nothing is left.
  func end(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try ask("close", sourceLocation: sourceLocation)
    host.end()
    try place.expectNothingLeft(sourceLocation: sourceLocation)
  }
}

extension WarmSetting {
  /// The result of a session.
  struct Session {
    /// The session record.
    var record: JSONValue
    /// The values that the extension has written.
    var seen: [String: String] = [:]

    /// The session ID.
    var id: String? { record["sessionID"]?.string }
    /// Whether the session used a prewarmed extension.
    var isWarm: Bool { steps.first == "warm" }
    /// The start time of the session.
    var startedAt: String { record["startedAt"]?.string ?? "" }
    /// The delivered files.
    var files: [String] { record["files"]?.elements?.compactMap { $0["path"]?.string } ?? [] }
    private var steps: [String] { record["steps"]?.elements?.compactMap { $0["name"]?.string } ?? [] }
    /// The members of the record that are equal in all sessions.
    var essence: JSONValue {
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
    let answer = try ask("run \(change)", sourceLocation: sourceLocation)
    var session = Session(record: try #require(answer["record"], sourceLocation: sourceLocation))
    if let content = answer["content"]?.string, let bytes = try FileSystem.contents("\(content)/seen") {
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        session.seen[String(parts[0])] = String(parts[1])
      }
    }
    return session
  }
}
