// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the session log commands.
@Suite(.timeLimit(.minutes(20)), .waiting) struct SessionLogCommandTests {
  private func log(_ home: TestHome, _ arguments: String...) throws -> (code: Int32, json: JSONValue) {
    try run(home, "logs", arguments)
  }

  private func run(
    _ home: TestHome,
    _ command: String,
    _ arguments: [String]
  ) throws -> (code: Int32, json: JSONValue) {
    let result = try home.darkroom(command, arguments + ["--json"])
    return (result.code, (try? home.json(result.output)) ?? .null)
  }

  @Test(arguments: TestUser.available)
  func `concurrent and killed hosts write one chain with one entry for each session`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    let arguments = ["--app", TestHome.app, "--", "sh", "-c"]
    let killed = try home.startDarkroom(
      "exec",
      arguments + ["echo x >/session/x; echo y >/session/y; sleep 600"]
    )
    try killed.wait {
      try home.names("sessions").contains { session in
        (try? FileSystem.status("\(home.root)/sessions/\(session)/content/y")) != nil
      }
    }
    killed.signal(SIGKILL)
    #expect(try killed.end().code == 137)
    let hosts = try (0..<4).map { index in
      try home.startDarkroom("exec", arguments + ["echo x >/session/x; exit \(index)"])
    }
    for host in hosts { _ = try host.end() }
    #expect(try home.darkroom("recover", []).code == 0)

    let list = try log(home, "list")
    #expect(list.code == 0)
    let entries = list.json["entries"]?.elements ?? []
    #expect(entries.compactMap { $0["sequence"]?.integer } == [5, 4, 3, 2, 1])
    #expect(Set(entries.compactMap { $0["session"]?.string }).count == 5)
    #expect(entries.count { $0["kind"]?.string == "recovered" } == 1)
    #expect(entries.count { $0["outcome"]?.string == "dismissed" } == 1)
    let verified = try log(home, "verify")
    #expect(verified.code == 0, "\(verified.json)")
    #expect(verified.json["entries"]?.integer == 5)
    let records = try home.names("apps/\(TestHome.app)/container/SessionRecords")
    #expect(Set(records) == Set(entries.compactMap { $0["session"]?.string.map { "\($0).json" } }))
  }

  @Test(arguments: TestUser.available)
  func `logs refused calls, and detects a changed or truncated log`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    let call = ["python3", "-c", "import socket; socket.socket()"]
    for program in [["true"], call, ["true"]] {
      _ = try home.darkroom("exec", ["--app", TestHome.app, "--"] + program)
    }
    let shown = try run(home, "inspect", ["2"])
    #expect(shown.json["refused"]?.integer == 1)
    #expect(shown.json["record"]?["refusals"]?.elements?.first?["call"]?.string == "socket")
    let head = try #require(try log(home, "head").json["head"]?.string)
    #expect(try log(home, "verify", "--head", head).code == 0)

    let file = "\(home.root)/log/sessions.ndjson"
    let text = String(decoding: try #require(try FileSystem.contents(file)), as: UTF8.self)
    try FileSystem.replaceContents(
      file,
      with: Array(text.replacing("\"refused\":1", with: "\"refused\":0").utf8)
    )
    try home.giveOwnership(file)
    let changed = try home.darkroom("logs", ["verify"])
    #expect(changed.code == 65)
    #expect(changed.text.contains("entry 2 of"))
    #expect(changed.text.contains("it was changed"))
    let lines = text.split(separator: "\n")
    try FileSystem.replaceContents(file, with: Array("\(lines[0])\n\(lines[1])\n".utf8))
    try home.giveOwnership(file)
    #expect(try home.darkroom("logs", ["verify"]).code == 0)
    let cut = try home.darkroom("logs", ["verify", "--head", head])
    #expect(cut.code == 65)
    #expect(cut.text.contains("ends before entry 3"))
  }
}
