// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the messages and records for calls that a policy refuses.
@Suite(.timeLimit(.minutes(20)), .waiting) struct RefusalTests {
  /// Runs attempts of the probe one after another in one session.
  private func probe(_ home: TestHome, _ attempts: [[String]]) throws -> TestHome.Session {
    let probe = "\(home.programs.directory)/bin/darkroom-probe"
    try FileSystem.replaceContents(
      home.file("probe"),
      with: FileSystem.contents(probe, limit: 1 << 26) ?? [],
      mode: 0o755
    )
    try home.giveOwnership(home.file("probe"))
    if attempts.count == 1 { return try home.exec([home.file("probe")] + attempts[0]) }
    let arguments = attempts.map { ([Self.shown(home)] + $0).map { "'\($0)'" }.joined(separator: " ") }
    return try home.exec(
      ["sh", "-c", arguments.joined(separator: "; ")],
      options: ["--read-only", home.file("probe")]
    )
  }

  /// Returns the path of the probe in a session.
  private static func shown(_ home: TestHome) -> String { home.file("probe") }

  @Test(arguments: TestUser.available)
  func `reports a refused call in the record and as a message with a fix`(user: TestUser)
    throws
  {
    let session = try probe(
      TestHome(user),
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

  @Test(arguments: TestUser.available)
  func `counts equal refusals in one entry`(user: TestUser) throws {
    let session = try probe(TestHome(user), Array(repeating: ["socketpair-datagrams"], count: 3))
    let refusals = session.record["refusals"]?.elements ?? []
    #expect(refusals.map { $0["count"]?.integer } == [3], "\(refusals)")
  }

  @Test(arguments: TestUser.available)
  func `a flood of refused calls ends the session`(user: TestUser) throws {
    let session = try probe(TestHome(user), [["flood-refused"]])
    #expect(session.outcome == "violated", "\(session.record["outcome"] as Any)")
    #expect(session.record["outcome"]?["rule"]?.string == "refusals")
    #expect((session.record["refusals"]?.elements ?? []).count == 1)
    #expect(session.command.code == 77)
  }

  @Test(arguments: TestUser.available)
  func `refuses calls silently and reports so if the host has a seccomp supervisor`(
    user: TestUser
  ) throws {
    let home = try TestHome(user)
    let record = home.file("record.json")
    let line =
      "exec '\(home.programs.darkroom)' exec --root '\(home.root)' --app \(TestHome.app) --record '\(record)' -- "
      + "python3 -c 'import socket; socket.socket()'"
    let result = try home.start(["\(home.programs.directory)/bin/darkroom-probe", "supervised", line]).end()
    #expect(result.code == 1 && result.errors.contains("Operation not permitted"), "\(result.errors)")
    let json = try home.json(try #require(try FileSystem.contents(record)))
    let seccomp = json["enforcement"]?["layers"]?.elements?.first { $0["name"]?.string == "seccomp" }
    #expect(seccomp?["detail"]?.string?.contains("refusals are not reported") == true, "\(seccomp as Any)")
    #expect(json["refusals"]?.elements?.isEmpty == true)
  }

  @Test(.enabled(if: TestPrograms.has("python3")), arguments: TestUser.available)
  func `explains a refused call in the terminal while the program waits`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    let script = """
      import os, socket, sys, time
      try: socket.socket()
      except OSError: pass
      os.system("id > /dev/null")
      sys.stdin.readline()
      """
    let arguments = [
      home.programs.darkroom, "exec", "--root", home.root, "--app", TestHome.app, "--", "/usr/bin/python3",
      "-c", script,
    ]
    let line = arguments.map { "'\($0)'" }.joined(separator: " ")
    // The shell sends the line that the program waits for after the message has appeared.
    let waiting =
      "script -qec \"$1\" /dev/null < fifo > seen & until grep -q 'was refused socket' seen; do sleep 0.1; done; "
    let made = try home.start([
      "sh", "-c", "mkfifo fifo; exec 3<>fifo; \(waiting) cp seen early; echo >&3; wait", "sh", line,
    ])
    _ = try made.end()
    let early = String(decoding: try #require(try FileSystem.contents(home.file("early"))), as: UTF8.self)
    #expect(early.contains("python3 (thread ") && !early.contains("id (thread"), "\(early)")
    let all = String(decoding: try #require(try FileSystem.contents(home.file("seen"))), as: UTF8.self)
    #expect(all.contains("4 refused calls did not stop the program (id: socket)"), "\(all)")
    #expect(all.ranges(of: "was refused socket(AF_INET").count == 1, "\(all)")
  }

  @Test(arguments: TestUser.available)
  func `summarizes refused probes of a successful program in one line with a command`(
    user: TestUser
  )
    throws
  {
    let home = try TestHome(user)
    let session = try home.exec(["sh", "-c", "id > /dev/null"])
    let lines = session.command.errors.split(separator: "\n")
    try #require(lines.count == 1, "\(lines)")
    #expect(lines[0].contains("refused calls did not stop the program (id: socket)"), "\(lines)")
    let id = try #require(session.record["sessionID"]?.string)
    #expect(lines[0].contains("'darkroom logs refusals \(id)'"), "\(lines)")
    let listed = try home.darkroom("logs", ["refusals", id])
    #expect(listed.text.hasPrefix("probe: id (thread "), "\(listed)")
    let json = try home.json(try home.darkroom("logs", ["refusals", id, "--json"]).output)
    #expect(json["refusals"]?.elements?.first?["probe"] == "nameService", "\(json)")
    #expect(try home.darkroom("logs", ["refusals", "nothing"]).code == 64)
  }
}
