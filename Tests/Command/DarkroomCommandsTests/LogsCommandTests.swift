// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import SessionStore
import Testing

@Suite struct LogsCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  @Test func `an empty log lists nothing and verifies`() throws {
    #expect(try fixture.run("logs", "list").code == 0)
    #expect(try fixture.run("logs", "verify").code == 0)
    #expect(try fixture.run("logs", "head").code == 66)
    // Read-only commands create no files.
    #expect(try FileSystem.status(fixture.root) == nil)
  }

  @Test func `logs list sorts newest first and filters by app, outcome, time and count`() throws {
    let ids = try (0..<3).map { _ in try fixture.migrateSession().description }
    func sessions(_ words: String...) throws -> [String] {
      let result = try CommandResult.run(["--root", fixture.root, "logs", "list", "--json"] + words)
      #expect(result.code == 0)
      return try result.json["entries"]?.elements?.compactMap { $0["session"]?.string } ?? []
    }
    #expect(try sessions() == ids.reversed())
    #expect(try sessions("--limit", "2") == Array(ids.reversed().prefix(2)))
    #expect(try sessions("--app", "org.example.other") == [])
    #expect(try sessions("--app", CommandFixture.app, "--outcome", "completed").count == 3)
    #expect(try sessions("--outcome", "violated") == [])
    #expect(try sessions("--since", "2020-01-31").count == 3)
    #expect(try sessions("--since", "2020-01-31T10:00:00Z").count == 3)
    #expect(try sessions("--since", "1h").count == 3)
    #expect(try sessions("--since", "2199-01-31") == [])
    let text = try fixture.run("logs", "list").output
    #expect(text.contains("ENTRY") && text.contains(ids[0]))
  }

  @Test func `logs without a command lists the sessions`() throws {
    for _ in 0..<2 { try fixture.migrateSession() }
    let listed = try fixture.run("logs", "list", "--json")
    #expect(try listed.json["entries"]?.elements?.count == 2)
    #expect(try fixture.run("logs", "--json").output == listed.output)
    let newest = try fixture.run("logs", "--json", "--limit", "1")
    #expect(try newest.json["entries"]?.elements?.count == 1)
  }

  @Test func `inspect finds an entry by session id and by number`() throws {
    let id = try fixture.migrateSession().description
    let bySession = try fixture.run("inspect", id)
    #expect(bySession.code == 0)
    #expect(bySession.output.contains("recordDigest  sha256:"))
    #expect(try fixture.run("inspect", "1").output == bySession.output)
    #expect(try fixture.run("inspect", "2").code == 66)
    #expect(try fixture.run("inspect", "x").code == 64)
  }

  @Test(arguments: ["yesterday", "2020-13-01", "12", ""])
  func `logs list rejects an invalid time as a usage error`(_ time: String) throws {
    #expect(try fixture.run("logs", "list", "--since", time).code == 64)
  }

  @Test(arguments: ["1", "0:sha256:00", "x:y", ""])
  func `logs verify rejects an invalid head as a usage error`(_ head: String) throws {
    #expect(try fixture.run("logs", "verify", "--head", head).code == 64)
  }

  @Test func `logs verify exits with code 65 for a changed log and prints a fix`() throws {
    for _ in 0..<2 { try fixture.migrateSession() }
    let path = "\(fixture.root)/log/sessions.ndjson"
    let text = String(decoding: try #require(try FileSystem.contents(path)), as: UTF8.self)
    try FileSystem.replaceContents(path, with: Array(text.replacing("completed", with: "dismissed").utf8))
    let result = try fixture.run("logs", "verify")
    #expect(result.code == 65)
    #expect(result.output.contains("entry 1 of \(path) is invalid"))
    #expect(result.output.contains("mv \(path)"))
    let data = try fixture.run("logs", "verify", "--json")
    #expect(try data.json["valid"] == false)
    #expect(try data.json["invalid"]?["entry"]?.integer == 1)
  }
}
