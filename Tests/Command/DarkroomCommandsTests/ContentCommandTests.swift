// SPDX-License-Identifier: Apache-2.0

import AppBundles
import JSONText
import LinuxPrimitives
import SessionStore
import Testing

@Suite struct ContentCommandTests {
  let fixture: CommandFixture
  private let app = CommandFixture.app

  init() throws { fixture = try CommandFixture() }

  /// Returns the ids of the sessions with content.
  private func presentSessions() throws -> [String] {
    try #require(try fixture.run("content", "list", app, "--json").json["sessions"]?.elements)
      .compactMap { $0["session"]?.string }
  }

  @Test func `content list shows files, bytes, outcome and path of each session`() throws {
    let id = try fixture.migrateSession("12345")
    let result = try fixture.run("content", "list", app)
    try #require(result.lines.count == 2)
    let words = result.lines[1].split(separator: " ").map(String.init)
    #expect(words.first == id.description)
    #expect(words.dropFirst(3).prefix(4) == ["1", "5", "completed", "0"])
    let path = try #require(words.last)
    #expect(try FileSystem.names(in: path) == ["picture.txt"])
    let session = try #require(
      try fixture.run("content", "list", app, "--json").json["sessions"]?.elements?.first
    )
    #expect(session["files"] == 1)
    #expect(session["bytes"] == 5)
    #expect(session["outcome"] == ["kind": "completed", "exitCode": 0])
    #expect(session["path"]?.string == path)
    #expect(session["extension"] == "org.example.camera.capture")
  }

  @Test func `content list counts renamed files and names the command that shows them`() throws {
    let plain = try fixture.migrateSession()
    #expect(try fixture.run("content", "list", app).errorOutput == "")
    let id = try fixture.migrateSession("x", as: "-a\u{1B}\\b")
    let list = try fixture.run("content", "list", app)
    #expect(
      list.errorOutput.hasPrefix("darkroom: 1 name was changed so that other programs can open the content; ")
    )
    #expect(list.errorOutput.contains("'darkroom content show \(app) --all'"))
    let sessions = try fixture.run("content", "list", app, "--json").json["sessions"]?.elements ?? []
    #expect(sessions.map { $0["renamed"]?.integer } == [0, 1])
    let shown = try fixture.run("content", "show", app, "--all")
    #expect(
      shown.lines == [
        "\(plain): no names or attributes were changed",
        #"\#(id)/%2Da%1B%5Cb: renamed from '-a\x1b\x5cb'"#,
      ]
    )
    let json = try fixture.run("content", "show", app, id.description, "--json").json
    #expect(
      json["sessions"]?.elements == [
        [
          "session": .string(id.description),
          "changes": [["path": "%2Da%1B%5Cb", "change": "renamed", "from": #"-a\x1b\x5cb"#]],
        ]
      ]
    )
  }

  @Test func `content list is empty if the state root does not exist`() throws {
    let result = try fixture.run("content", "list", app)
    #expect(result.code == 0)
    #expect(result.output == "")
    #expect(
      try fixture.run("content", "list", app, "--json").json == [
        "app": "org.example.camera", "sessions": [],
      ]
    )
    #expect(try FileSystem.status(fixture.root) == nil)
  }

  @Test(arguments: [["list"], ["invalidate", "--all"], ["export", "--all", "--to", "/nowhere"], ["watch"]])
  func `an unknown app fails with the most similar app id`(words: [String]) throws {
    try fixture.migrateSession()
    let result = try CommandResult.run(["--root", fixture.root, "content"] + words + ["org.exmple.camera"])
    #expect(result.code == 66)
    let error = CatalogError.appNotInstalled(id: "org.exmple.camera", nearest: app)
    #expect(result.errorOutput == "darkroom: \(error)\n")
  }

  @Test func `content export copies content and never replaces a file`() throws {
    let id = try fixture.migrateSession("one")
    let target = "\(fixture.directory)/out"
    let result = try fixture.run("content", "export", app, id.description, "--to", target)
    #expect(result.code == 0)
    #expect(result.output == "\(target)/\(id)\n")
    #expect(try FileSystem.contents("\(target)/\(id)/picture.txt") == Array("one".utf8))
    #expect(try presentSessions() == [id.description])
    let second = try fixture.migrateSession("two")
    let mixed = try fixture.run("content", "export", app, "--all", "--to", target, "--json")
    #expect(mixed.code == 73)
    #expect(
      try mixed.json["exported"]?.elements?.compactMap { $0["session"]?.string } == [second.description]
    )
    #expect(try mixed.json["failed"]?.elements?.compactMap { $0["session"]?.string } == [id.description])
    #expect(mixed.errorOutput.contains("already exists and is not replaced"))
  }

  @Test func `content invalidate removes named sessions or all of them`() throws {
    let ids = try (0..<3).map { _ in try fixture.migrateSession().description }
    let one = try fixture.run("content", "invalidate", app, ids[1], ids[1])
    #expect(one.code == 0)
    #expect(one.output == "removed \(ids[1]): 1 file, 7 bytes\n")
    #expect(try Set(presentSessions()) == [ids[0], ids[2]])
    let all = try fixture.run("content", "invalidate", app, "--all", "--json")
    #expect(try all.json["invalidated"]?.elements?.count == 2)
    #expect(try all.json["invalidated"]?.elements?.first?["bytes"] == 7)
    #expect(try presentSessions() == [])
    let none = try fixture.run("content", "invalidate", app, "--all")
    #expect(none.code == 0)
    #expect(none.errorOutput == "no content is pending for org.example.camera\n")
  }

  @Test func `one unknown session id leaves all content unchanged`() throws {
    let id = try fixture.migrateSession().description
    let wrong = id.hasSuffix("0") ? id.dropLast() + "1" : id.dropLast() + "0"
    let result = try fixture.run("content", "invalidate", app, id, String(wrong))
    #expect(result.code == 66)
    #expect(result.errorOutput.contains("did you mean '\(id)'?"))
    #expect(try presentSessions() == [id])
  }

  @Test(arguments: [["invalidate"], ["show"], ["export", "--to", "/nowhere"]])
  func `requires either session ids or --all`(words: [String]) throws {
    let id = try fixture.migrateSession().description
    for rest in [[app], [app, id, "--all"]] {
      let result = try CommandResult.run(["--root", fixture.root, "content"] + words + rest)
      #expect(result.code == 64)
      #expect(result.errorOutput.contains("give either session IDs or --all"))
    }
    #expect(try presentSessions() == [id])
  }
}
