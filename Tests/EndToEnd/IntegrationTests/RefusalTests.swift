// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the messages and records for calls that a policy refuses.
@Suite(.timeLimit(.minutes(20)), .waiting) struct RefusalTests {
  /// Runs attempts of the probe one after another in one session.
  private func probe(_ place: Place, _ attempts: [[String]]) throws -> Place.Session {
    let probe = "\(place.programs.directory)/bin/darkroom-probe"
    try FileSystem.replaceContents(
      place.file("probe"),
      with: FileSystem.contents(probe, limit: 1 << 26) ?? [],
      mode: 0o755
    )
    try place.give(place.file("probe"))
    if attempts.count == 1 { return try place.exec([place.file("probe")] + attempts[0]) }
    let words = attempts.map { ([Self.shown(place)] + $0).map { "'\($0)'" }.joined(separator: " ") }
    return try place.exec(
      ["sh", "-c", words.joined(separator: "; ")],
      options: ["--read-only", place.file("probe")]
    )
  }

  /// Returns the path of the probe in a session.
  private static func shown(_ place: Place) -> String { place.file("probe") }

  @Test(arguments: Person.available)
  func `a refused call is in the record and in a sentence, with arguments, line and mend`(person: Person)
    throws
  {
    let session = try probe(
      Place(person),
      [["socketpair-datagrams"], ["mount"], ["ioctl-TIOCSTI-high"], ["unshare-user"]]
    )
    let refusals = session.record["refusals"]?.elements ?? []
    let calls = refusals.compactMap { $0["call"]?.string }
    #expect(calls == ["socketpair", "mount", "ioctl", "unshare"], "\(session.record["refusals"] as Any)")
    for refusal in refusals {
      #expect(refusal["layer"]?.string == "seccomp" && refusal["count"]?.integer == 1)
      #expect(refusal["program"]?.string == "probe")
      let sentence = try #require(refusal["sentence"]?.string)
      #expect(session.command.errors.contains(sentence), "\(session.command.errors)")
    }
    #expect(refusals.first?["sentence"]?.string?.contains("AF_UNIX") == true)
    #expect(refusals.dropFirst().first?["sentence"]?.string?.contains("/darkroom-probe-nowhere") == true)
  }

  @Test(arguments: Person.available)
  func `refusals that are alike are folded into one`(person: Person) throws {
    let session = try probe(Place(person), Array(repeating: ["socketpair-datagrams"], count: 3))
    let refusals = session.record["refusals"]?.elements ?? []
    #expect(refusals.map { $0["count"]?.integer } == [3], "\(refusals)")
  }

  @Test(arguments: Person.available)
  func `a flood of refused calls ends the session`(person: Person) throws {
    let session = try probe(Place(person), [["flood-refused"]])
    #expect(session.outcome == "violated", "\(session.record["outcome"] as Any)")
    #expect(session.record["outcome"]?["rule"]?.string == "refusals")
    #expect((session.record["refusals"]?.elements ?? []).count == 1)
    #expect(session.command.code == 77)
  }

  @Test(arguments: Person.available)
  func `a host that is supervised itself has its extensions' calls refused silently, and says so`(
    person: Person
  ) throws {
    let place = try Place(person)
    let record = place.file("record.json")
    let line =
      "exec '\(place.programs.darkroom)' exec --root '\(place.root)' --app \(Place.app) --record '\(record)' -- "
      + "python3 -c 'import socket; socket.socket()'"
    let result = try place.start(["\(place.programs.directory)/bin/darkroom-probe", "supervised", line]).end()
    #expect(result.code == 1 && result.errors.contains("Operation not permitted"), "\(result.errors)")
    let json = try place.json(try #require(try FileSystem.contents(record)))
    let seccomp = json["enforcement"]?["layers"]?.elements?.first { $0["name"]?.string == "seccomp" }
    #expect(seccomp?["detail"]?.string?.contains("it refuses silently") == true, "\(seccomp as Any)")
    #expect(json["refusals"]?.elements?.isEmpty == true)
  }

  @Test(.enabled(if: Programs.has("python3")), arguments: Person.available)
  func `a program that waits after a refused call is explained in a terminal while it runs`(person: Person)
    throws
  {
    let place = try Place(person)
    let script = """
      import os, socket, sys, time
      try: socket.socket()
      except OSError: pass
      os.system("id > /dev/null")
      sys.stdin.readline()
      """
    let words = [
      place.programs.darkroom, "exec", "--root", place.root, "--app", Place.app, "--", "/usr/bin/python3",
      "-c", script,
    ]
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    // The shell sends the line that the program waits for after the message has appeared.
    let waiting =
      "script -qec \"$1\" /dev/null < fifo > seen & until grep -q 'was refused socket' seen; do sleep 0.1; done; "
    let made = try place.start([
      "sh", "-c", "mkfifo fifo; exec 3<>fifo; \(waiting) cp seen early; echo >&3; wait", "sh", line,
    ])
    _ = try made.end()
    let early = String(decoding: try #require(try FileSystem.contents(place.file("early"))), as: UTF8.self)
    #expect(early.contains("python3 (thread ") && !early.contains("id (thread"), "\(early)")
    let all = String(decoding: try #require(try FileSystem.contents(place.file("seen"))), as: UTF8.self)
    #expect(all.contains("4 refused calls did not stop the program (id: socket)"), "\(all)")
    #expect(all.ranges(of: "was refused socket(AF_INET").count == 1, "\(all)")
  }

  @Test(arguments: Person.available)
  func `the probes of a program that succeeds are one line, which names the command that lists them`(
    person: Person
  )
    throws
  {
    let place = try Place(person)
    let session = try place.exec(["sh", "-c", "id > /dev/null"])
    let lines = session.command.errors.split(separator: "\n")
    try #require(lines.count == 1, "\(lines)")
    #expect(lines[0].contains("refused calls did not stop the program (id: socket)"), "\(lines)")
    let id = try #require(session.record["sessionID"]?.string)
    #expect(lines[0].contains("'darkroom log refusals \(id)'"), "\(lines)")
    let listed = try place.darkroom("log", ["refusals", id])
    #expect(listed.text.hasPrefix("probe: id (thread "), "\(listed)")
    let json = try place.json(try place.darkroom("log", ["refusals", id, "--json"]).output)
    #expect(json["refusals"]?.elements?.first?["probe"] == "nameService", "\(json)")
    #expect(try place.darkroom("log", ["refusals", "nothing"]).code == 64)
  }
}
