// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the session log commands.
@Suite(.timeLimit(.minutes(20)), .waiting) struct LogTests {
  private func log(_ place: Place, _ words: String...) throws -> (code: Int32, json: JSONValue) {
    let result = try place.darkroom("log", words + ["--json"])
    return (result.code, (try? place.json(result.output)) ?? .null)
  }

  @Test(arguments: Person.available)
  func `hosts at the same time and one that is killed make one chain with each session once`(person: Person)
    throws
  {
    let place = try Place(person)
    let words = ["--app", Place.app, "--", "sh", "-c"]
    let killed = try place.startDarkroom(
      "exec",
      words + ["echo x >/session/x; echo y >/session/y; sleep 600"]
    )
    try killed.wait {
      try place.names("sessions").contains { session in
        (try? FileSystem.status("\(place.root)/sessions/\(session)/content/y")) != nil
      }
    }
    killed.signal(SIGKILL)
    #expect(try killed.end().code == 137)
    let hosts = try (0..<4).map { index in
      try place.startDarkroom("exec", words + ["echo x >/session/x; exit \(index)"])
    }
    for host in hosts { _ = try host.end() }
    #expect(try place.darkroom("recover", []).code == 0)

    let list = try log(place, "list")
    #expect(list.code == 0)
    let entries = list.json["entries"]?.elements ?? []
    #expect(entries.compactMap { $0["sequence"]?.integer } == [5, 4, 3, 2, 1])
    #expect(Set(entries.compactMap { $0["session"]?.string }).count == 5)
    #expect(entries.count { $0["kind"]?.string == "recovered" } == 1)
    #expect(entries.count { $0["outcome"]?.string == "dismissed" } == 1)
    let verified = try log(place, "verify")
    #expect(verified.code == 0, "\(verified.json)")
    #expect(verified.json["entries"]?.integer == 5)
    let records = try place.names("apps/\(Place.app)/container/SessionRecords")
    #expect(Set(records) == Set(entries.compactMap { $0["session"]?.string.map { "\($0).json" } }))
  }

  @Test(arguments: Person.available)
  func `a refused call is in the log, and a log that was changed is told from the right one`(person: Person)
    throws
  {
    let place = try Place(person)
    let call = ["python3", "-c", "import socket; socket.socket()"]
    for program in [["true"], call, ["true"]] {
      _ = try place.darkroom("exec", ["--app", Place.app, "--"] + program)
    }
    let shown = try log(place, "show", "2")
    #expect(shown.json["refused"]?.integer == 1)
    #expect(shown.json["record"]?["refusals"]?.elements?.first?["call"]?.string == "socket")
    let head = try #require(try log(place, "head").json["head"]?.string)
    #expect(try log(place, "verify", "--head", head).code == 0)

    let file = "\(place.root)/log/sessions.ndjson"
    let text = String(decoding: try #require(try FileSystem.contents(file)), as: UTF8.self)
    try FileSystem.replaceContents(
      file,
      with: Array(text.replacing("\"refused\":1", with: "\"refused\":0").utf8)
    )
    try place.give(file)
    let changed = try place.darkroom("log", ["verify"])
    #expect(changed.code == 65)
    #expect(changed.text.contains("entry 2 of"))
    #expect(changed.text.contains("it was changed"))
    let lines = text.split(separator: "\n")
    try FileSystem.replaceContents(file, with: Array("\(lines[0])\n\(lines[1])\n".utf8))
    try place.give(file)
    #expect(try place.darkroom("log", ["verify"]).code == 0)
    let cut = try place.darkroom("log", ["verify", "--head", head])
    #expect(cut.code == 65)
    #expect(cut.text.contains("ends before entry 3"))
  }
}
