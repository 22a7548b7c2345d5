// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of `darkroom batch`: each input is delivered once, whatever stops the host.
@Suite(.timeLimit(.minutes(20)), .waiting) struct BatchTests {
  /// A program that fails for an input with the text `broken`, and otherwise sleeps for the number of seconds in its
  /// input.
  private static let program = [
    "sh", "-c",
    "read -r word <\"$1\"; test \"$word\" = broken && { echo out of paper; exit 3; }; sleep \"$word\"; "
      + "basename \"$1\" >/session/out",
    "sh", "{}",
  ]

  /// Creates input files with the given texts.
  private func makeInputs(_ home: TestHome, _ texts: [String: String]) throws {
    let directory = home.file("inputs")
    if try FileSystem.status(directory) == nil { try FileSystem.makeDirectory(directory, mode: 0o755) }
    try home.giveOwnership(directory)
    for (name, text) in texts { try home.write("inputs/\(name)", "\(text)\n") }
  }

  private func arguments(_ home: TestHome, _ options: [String]) -> [String] {
    ["--inputs", home.file("inputs"), "--app", TestHome.app, "--name", "test"] + options + ["--"]
      + Self.program
  }

  private func batch(_ home: TestHome, _ options: String...) throws -> Command.Result {
    try home.darkroom("batch", arguments(home, options))
  }

  /// Returns the number of successful sessions for each text of `/session/out`.
  private func delivered(_ home: TestHome) throws -> [String: Int] {
    try outputs(home).reduce(into: [:]) { $0[String(decoding: $1, as: UTF8.self), default: 0] += 1 }
  }

  /// Returns the file `/session/out` of each successful session.
  private func outputs(_ home: TestHome) throws -> [[UInt8]] {
    let container = "\(home.root)/apps/\(TestHome.app)/container"
    var found: [[UInt8]] = []
    for name in try FileSystem.names(in: "\(container)/SessionRecords") {
      let bytes = try #require(try FileSystem.contents("\(container)/SessionRecords/\(name)"))
      let record = try home.json(bytes)
      guard record["outcome"] == ["kind": "completed", "exitCode": 0] else { continue }
      let session = try #require(record["sessionID"]?.string)
      found.append(try #require(try FileSystem.contents("\(container)/SessionContent/\(session)/out")))
    }
    return found
  }

  /// Returns the events of the ledger.
  private func ledger(_ home: TestHome, _ name: String = "test") throws -> [JSONValue] {
    let path = "\(home.root)/batches/\(name)/ledger.ndjson"
    guard try FileSystem.status(path) != nil else { return [] }
    let bytes = try FileSystem.contents(path) ?? []
    // The last line may be incomplete while the command runs.
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { try? home.json(Array($0)) }
  }

  /// Returns the number of entries in the ledger: two for each session.
  private func entries(_ home: TestHome) throws -> Int {
    let path = "\(home.root)/batches/test/ledger.ndjson"
    guard try FileSystem.status(path) != nil else { return 0 }
    let bytes = try FileSystem.contents(path) ?? []
    return max(0, bytes.count { $0 == UInt8(ascii: "\n") } - 1)
  }

  private func events(_ home: TestHome, _ kind: String) throws -> Int {
    try ledger(home).count { $0["event"]?.string == kind }
  }

  @Test(arguments: TestUser.available)
  func `delivers each of 40 inputs once although the host is killed five times`(user: TestUser) throws {
    let home = try TestHome(user)
    let names = (10..<50).map { "input-\($0)" }
    try makeInputs(home, Dictionary(uniqueKeysWithValues: names.map { ($0, "0.1") }))
    for kill in 1...5 {
      let host = try home.startDarkroom("batch", arguments(home, ["--jobs", "4"]))
      // Different moments of the life of a session.
      let kind = kill % 2 == 0 ? "started" : "delivered"
      let before = try events(home, kind)
      try host.wait { try events(home, kind) >= before + kill }
      host.signal(SIGKILL)
      #expect(try host.end().code == 137)
    }
    let result = try batch(home, "--jobs", "4")
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.text.contains("40 inputs, 40 done, 0 failed, 0 left"), "\(result.text)")
    let expected = Dictionary(uniqueKeysWithValues: names.map { ("\($0)\n", 1) })
    #expect(try delivered(home) == expected)
    try home.waitForNoProcess()
    #expect(try home.names("sessions") == [])

    let records = try home.names("apps/\(TestHome.app)/container/SessionRecords").count
    #expect(try batch(home).code == 0)
    #expect(try home.names("apps/\(TestHome.app)/container/SessionRecords").count == records)
  }

  @Test(arguments: TestUser.available)
  func `reports failed inputs, and runs failed inputs again on request only`(user: TestUser) throws {
    let home = try TestHome(user)
    try makeInputs(home, ["a": "0", "b": "broken", "c": "0"])
    let first = try batch(home)
    #expect(first.code == 1)
    #expect(first.text.contains("3 inputs, 2 done, 1 failed, 0 left"), "\(first.text)")
    let path = home.file("inputs/b")
    #expect(
      first.errors.contains(
        "darkroom: \(path): the extension exited with code 3 (last output: out of paper)"
      ),
      "\(first.errors)"
    )
    #expect(first.errors.contains("add --retry-failed"), "\(first.errors)")
    try makeInputs(home, ["b": "0"])
    let second = try batch(home)
    #expect(second.code == 1)
    #expect(second.errors.contains("\(path): the extension exited with code 3"), "\(second.errors)")
    #expect(try events(home, "started") == 3)
    let third = try batch(home, "--retry-failed")
    #expect(third.code == 0, "\(third.errors)")
    #expect(try delivered(home) == ["a\n": 1, "b\n": 1, "c\n": 1])
    try home.expectNothingLeft()
  }

  @Test func `starts no session after a failure with --stop-on-failure`() throws {
    let home = try TestHome(TestUser.available[0])
    try makeInputs(home, ["a": "0", "b": "broken", "c": "0", "d": "0"])
    let stopped = try batch(home, "--jobs", "1", "--stop-on-failure")
    #expect(stopped.code == 1)
    #expect(stopped.text.contains("4 inputs, 1 done, 1 failed, 2 left"), "\(stopped.text)")
    let continued = try batch(home)
    #expect(continued.code == 1)
    #expect(continued.text.contains("4 inputs, 3 done, 1 failed, 0 left"), "\(continued.text)")
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal dismisses the running sessions, and the next run repeats their inputs`(signal: Int32) throws
  {
    let home = try TestHome(TestUser.available[0])
    try makeInputs(home, ["a": "0", "b": "600", "c": "600", "d": "600"])
    let host = try home.startDarkroom("batch", arguments(home, ["--jobs", "2"]))
    try host.wait { try events(home, "started") == 3 && events(home, "delivered") == 1 }
    host.signal(signal)
    let result = try host.end()
    #expect(result.code == 128 + signal, "\(result.errors)")
    #expect(result.text.contains("4 inputs, 1 done, 0 failed, 3 left"), "\(result.text)")
    #expect(try ledger(home).count { $0["verdict"]?.string == "interrupted" } == 2)
    try home.expectNothingLeft()
    try makeInputs(home, ["b": "0", "c": "0", "d": "0"])
    #expect(try batch(home).code == 0)
    #expect(try delivered(home) == ["a\n": 1, "b\n": 1, "c\n": 1, "d\n": 1])
  }

  @Test func `refuses a second run of a batch at the same time, and another command under its name`() throws {
    let home = try TestHome(TestUser.available[0])
    try makeInputs(home, ["a": "600"])
    let host = try home.startDarkroom("batch", arguments(home, []))
    try host.wait { try events(home, "started") == 1 }
    let second = try batch(home)
    #expect(second.code == 75, "\(second.errors)")
    #expect(second.errors.contains("another process runs the batch 'test'"), "\(second.errors)")
    host.signal(SIGTERM)
    #expect(try host.end().code == 143)
    let other = try home.darkroom(
      "batch",
      ["--inputs", home.file("inputs"), "--app", TestHome.app, "--name", "test", "--", "true"]
    )
    #expect(other.code == 64, "\(other.errors)")
    #expect(try events(home, "started") == 1)
  }

  @Test func `passes hostile names unchanged`() throws {
    let home = try TestHome(TestUser.available[0])
    let names = [
      "-rf", "two\nlines", "{}", " ", "e\u{301}", "\u{E9}", "'; echo $(id) #", "\u{1B}]0;title\u{7}", "*",
      "a\\b",
      String(repeating: "x", count: 255),
    ]
    try makeInputs(home, Dictionary(uniqueKeysWithValues: names.enumerated().map { ("\($0.offset)", "0") }))
    for (number, name) in names.enumerated() {
      try FileSystem.rename(home.file("inputs/\(number)"), to: "\(home.file("inputs"))/\(name)", .replace)
    }
    let list = names.map { Array("inputs/\($0)".utf8) + [0] }.joined()
    let unreadable = Array("inputs/not UTF-8 ".utf8) + [0xFF, 0]
    try FileSystem.replaceContents(home.file("list"), with: Array(list) + unreadable, mode: 0o644)
    let program = ["sh", "-c", "printf '%s' \"$1\" >/session/out; cat -- \"$1\"", "sh", "{}"]
    let result = try home.darkroom(
      "batch",
      ["--inputs", "-", "--null", "--app", TestHome.app, "--name", "test", "--"] + program,
      input: home.file("list")
    )
    #expect(result.code == 1)
    #expect(result.text.contains("12 inputs, 11 done, 1 failed, 0 left"), "\(result.text)\(result.errors)")
    #expect(result.errors.contains("the name is not UTF-8"), "\(result.errors)")
    #expect(!result.errors.contains("\u{1B}"))
    let found = try outputs(home)
    #expect(found.count == names.count)
    #expect(Set(found) == Set(names.map { Array("\(home.file("inputs"))/\($0)".utf8) }))
  }

  @Test func `shards with their own ledgers process each input once`() throws {
    let home = try TestHome(TestUser.available[0])
    let names = (0..<8).map { "input-\($0)" }
    try makeInputs(home, Dictionary(uniqueKeysWithValues: names.map { ($0, "0") }))
    for index in 0..<2 { #expect(try batch(home, "--shard", "\(index)/3").code == 0) }
    #expect(try batch(home, "--shards", "3").code == 64)
    home.variables = ["JOB_COMPLETION_INDEX=3"]
    #expect(try batch(home, "--shards", "3").errors.contains("JOB_COMPLETION_INDEX is '3'"))
    home.variables = ["JOB_COMPLETION_INDEX=2"]
    #expect(try batch(home, "--shards", "3").code == 0)
    #expect(try delivered(home) == Dictionary(uniqueKeysWithValues: names.map { ("\($0)\n", 1) }))
    #expect(try home.names("batches") == (0..<3).map { "test.\($0)-of-3" })
  }

  @Test func `the program of a pod publishes the results of a shard once`() throws {
    let home = try TestHome(TestUser.available[0])
    try makeInputs(home, ["a": "0", "b": "0", "c": "broken", "d": "0"])
    try FileSystem.makeDirectory(home.file("results"))
    func run(_ index: Int) throws -> Command.Result {
      home.variables = ["JOB_COMPLETION_INDEX=\(index)", "DARKROOM_ROOT=\(home.file("root-\(index)"))"]
      let path = "PATH=\(FileSystem.directoryName(home.programs.darkroom)):/usr/bin:/bin"
      let script = "\(TestPrograms.package)/Plugins/Batch/process-shard.sh"
      let words = [script, home.file("inputs"), home.file("results"), TestHome.app, "2"] + Self.program
      return try home.start(["env", path] + words).end()
    }
    for index in 0..<2 {
      let result = try run(index)
      #expect(result.code == 0, "\(result.errors)")
    }
    #expect(try FileSystem.names(in: home.file("results")) == ["0", "1"])
    #expect(try FileSystem.names(in: home.file("results/0/content")).count == 1)
    #expect(try FileSystem.names(in: home.file("results/0/records")).count == 2)
    #expect(try FileSystem.names(in: home.file("results/1/content")).count == 2)
    #expect(try FileSystem.status(home.file("results/1/ledger.ndjson")) != nil)
    #expect(try run(0).text.contains("the results of shard 0 exist"))
  }

  @Test func `prints each event as a line of JSON`() throws {
    let home = try TestHome(TestUser.available[0])
    try makeInputs(home, ["a": "0", "b": "broken"])
    let result = try batch(home, "--json")
    #expect(result.code == 1)
    let lines = try result.output.split(separator: UInt8(ascii: "\n")).map { try home.json(Array($0)) }
    let kinds = lines.compactMap { $0["event"]?.string }
    #expect(kinds.sorted() == ["finished", "finished", "started", "started", "summary"])
    #expect(kinds.last == "summary")
    let finished = lines.filter { $0["event"]?.string == "finished" }
    #expect(Set(finished.map { $0["verdict"]?.string }) == ["done", "failed"])
    let record = try #require(finished.first?["record"]?.string)
    #expect(try FileSystem.status(record) != nil)
    #expect(lines.last?["failed"] == 1 && lines.last?["left"] == 0)
  }

  @Test func `starts no further session while its events are not read`() throws {
    let home = try TestHome(TestUser.available[0])
    let count = 600
    try makeInputs(home, Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", "0") }))
    // The reader of the events waits after the first line until a file exists. At the end, it replaces the pipe.
    let output = home.file("\(home.nextOutputName).out")
    try runShell(
      """
      mkfifo -m 666 '\(output)'
      {
        { read -r line; until [ -e '\(home.file("go"))' ]; do sleep 0.1; done; cat; } <'\(output)' >'\(output).new'
        mv '\(output).new' '\(output)'
      } >/dev/null 2>&1 &
      """
    )
    let options = ["--json", "--inputs", home.file("inputs"), "--app", TestHome.app, "--name", "test"]
    let host = try home.startDarkroom("batch", options + ["--jobs", "4", "--", "true"])
    var last = (count: 0, moment: MonotonicClock.now)
    try host.wait {
      let found = try entries(home)
      if found > last.count { last = (found, MonotonicClock.now) }
      return found > 0 && MonotonicClock.now > last.moment + 3_000_000_000
    }
    #expect(last.count < 2 * count)
    try home.write("go", "")
    // The output becomes a file after the command has closed the pipe, and so perhaps after the command has ended.
    #expect(try TestTimeout.waitUntil { try FileSystem.status(output)?.kind == .regular })
    #expect(try host.end().code == 0)
    #expect(try events(home, "delivered") == count)
    try home.expectNothingLeft()
  }

  @Test func `the memory of the command does not grow with the number of sessions`() throws {
    let home = try TestHome(TestUser.available[0])
    try makeInputs(home, Dictionary(uniqueKeysWithValues: (0..<1000).map { ("\($0)", "0") }))
    let options = ["--inputs", home.file("inputs"), "--app", TestHome.app, "--name", "test"]
    let host = try home.startDarkroom("batch", options + ["--", "true"])
    func residentKilobytes(after sessions: Int) throws -> Int {
      try host.wait { try entries(home) >= 2 * sessions }
      let status = try #require(try FileSystem.contents("/proc/\(host.process)/status"))
      let fields = String(decoding: status, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      let name = try #require(fields.firstIndex(of: "VmRSS:"))
      return try #require(Int(fields[name + 1]))
    }
    let early = try residentKilobytes(after: 300)
    let late = try residentKilobytes(after: 900)
    #expect(late < early + 1024, "\(early) KiB after 300 sessions, \(late) KiB after 900")
    #expect(try host.end().code == 0)
    try home.expectNothingLeft()
  }

  @Test func `a directory without inputs is complete, and a missing directory is an error`() throws {
    let home = try TestHome(TestUser.available[0])
    try makeInputs(home, [:])
    #expect(try batch(home).code == 0)
    let missing = try home.darkroom(
      "batch",
      ["--inputs", home.file("none"), "--app", TestHome.app, "--", "true"]
    )
    #expect(missing.code == 66, "\(missing.errors)")
  }
}
