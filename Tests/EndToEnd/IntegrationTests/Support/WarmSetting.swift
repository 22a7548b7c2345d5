// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// An app whose extension can be started ahead, installed, and a host that does it.
final class WarmSetting {
  /// The app.
  static let app = "org.example.warm"

  /// Where they are.
  let place: Place
  private let host: Talker

  /// Installs the app; while it waits, its extension does as `order` says. `limits` are those of the pool.
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

  /// Tells the host something and gives its answer.
  @discardableResult
  func ask(_ words: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> JSONValue {
    host.tell(words)
    let line = try #require(host.hear(), "the host has ended", sourceLocation: sourceLocation)
    let answer = try place.json(Array(line.utf8))
    #expect(answer["error"] == nil, sourceLocation: sourceLocation)
    return answer
  }

  /// Waits until so many wait; which they are.
  func waiting(_ count: Int) throws -> [String] {
    try ask("await \(count)")["waiting"]?.elements?.compactMap(\.string) ?? []
  }

  /// Waits until nothing is about to be started or ended; which wait then.
  @discardableResult
  func settle(sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
    try ask("settle", sourceLocation: sourceLocation)["waiting"]?.elements?.compactMap(\.string) ?? []
  }

  /// The first that waits.
  func prepare(_ change: String = "") throws -> String {
    try ask("start \(change)")
    return try #require(try waiting(1).first)
  }

  /// Has a session run that does not end; its files appear there.
  func launch(_ slot: String) throws {
    host.tell("run")
    let file = "\(place.root)/sessions/\(slot)/content/seen"
    try eventually { try FileSystem.status(file) != nil }
  }

  /// Makes a file in the session directory of one that waits, as if it had.
  func make(_ name: String, in slot: String) throws {
    _ = try FileSystem.open("\(place.root)/sessions/\(slot)/content/\(name)", [.write, .create])
  }

  /// Waits for something.
  func eventually(_ isSo: () throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation) throws {
    guard try !TestPatience.comes(everyMilliseconds: 1, isSo) else { return }
    Issue.record("it never came to be", sourceLocation: sourceLocation)
  }

  /// How many that waited ended for which reason.
  func ends() throws -> [String: Int64] {
    let members = try ask("ends").members ?? []
    return Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value.integer ?? 0) })
  }

  /// Kills the host.
  func kill() { host.end() }

  /// Ends what waits, and the host, and checks that nothing is left.
  func end(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try ask("close", sourceLocation: sourceLocation)
    host.end()
    try place.expectNothingLeft(sourceLocation: sourceLocation)
  }
}

extension WarmSetting {
  /// How a session went.
  struct Session {
    /// Its record.
    var record: JSONValue
    /// What the extension has written down.
    var seen: [String: String] = [:]

    /// Its id.
    var id: String? { record["sessionID"]?.string }
    /// Whether its extension had waited.
    var isWarm: Bool { steps.first == "warm" }
    /// When it began.
    var startedAt: String { record["startedAt"]?.string ?? "" }
    /// The files that were delivered.
    var files: [String] { record["files"]?.elements?.compactMap { $0["path"]?.string } ?? [] }
    private var steps: [String] { record["steps"]?.elements?.compactMap { $0["name"]?.string } ?? [] }
    /// What does not differ from session to session.
    var essence: JSONValue {
      .object(
        ["outcome", "permissions", "policy", "executable", "quarantined", "violations", "refusals", "log"].map
        {
          JSONValue.Member($0, record[$0] ?? .null)
        }
      )
    }
  }

  /// Runs a session with something changed.
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
