// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of `darkroom test`: a correct extension passes, and each check fails for an extension with its
/// fault.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ConformanceTests {
  /// The result of the checks.
  private struct Report {
    /// The result of the command.
    let command: Command.Result
    /// The JSON document.
    let json: JSONValue

    /// Returns the verdict of a check.
    func verdict(_ name: String) -> String? { check(name)?["verdict"]?.string }
    /// Returns the reason of a verdict.
    func reason(_ name: String) -> String { check(name)?["reason"]?.string ?? "" }

    /// Returns the JSON object of a check.
    func check(_ name: String) -> JSONValue? {
      json["checks"]?.elements?.first { $0["name"]?.string == name }
    }

    /// Returns the names of the checks with a verdict.
    func names(_ verdict: String) -> [String] {
      (json["checks"]?.elements ?? []).filter { $0["verdict"]?.string == verdict }.compactMap {
        $0["name"]?.string
      }
    }
  }

  private func check(_ home: TestHome, _ subject: String, _ words: [String]) throws -> Report {
    home.variables = ["TMPDIR=\(home.directory)"]
    let result = try home.darkroom("test", ["--json"] + words + [subject])
    try #require(!result.output.isEmpty, "\(result.code): \(result.errors)")
    // The temporary state root has been removed, and no other state root has changed.
    try home.expectNothingLeft()
    #expect(try FileSystem.names(in: home.directory).filter { $0.contains("workshop") } == [])
    return Report(command: result, json: try home.json(result.output))
  }

  /// Options that skip the attack battery, which uses all processors for seconds. AttackTests covers it.
  private static let allButAttack = ["--skip", "attack"]

  @Test(arguments: TestUser.available)
  func `an extension without faults passes every check`(user: TestUser) throws {
    let home = try TestHome(user)
    let report = try check(home, try FaultyExtension("nothing", in: home).bundle, Self.allButAttack)
    #expect(report.command.code == 0 && report.names("pass").count == 12, "\(report.command.text)")
    #expect(report.json["passed"] == true)
  }

  @Test(arguments: [
    ("garbled", "protocol", "is not valid JSON"), ("mute", "protocol", "did not answer"),
    ("dark", "viewfinder", "viewfinder"), ("deaf", "dismissal", "did not exit within 600 ms"),
    ("slow", "mid-write", "photo-1.pgm is incomplete: "),
    ("picky", "context", "exited with code 1"),
    ("hopeful", "denied", "SIGABRT"), ("proud", "revoked", "SIGABRT"),
    ("stunned", "unplugged", "did not exit"),
    ("patient", "stalled", "did not exit"),
    ("expectant", "stalled", "before its first frame: it did not exit"),
    ("careless", "full", "File too large"),
    ("jealous", "twice", "another session uses the context"), ("curious", "calls", "socket"),
  ])
  func `each check fails for an extension with its fault, and reports the reason and the fix`(
    fault: String,
    name: String,
    words: String
  ) throws {
    let home = try TestHome(TestUser.available[0])
    let grace = words.contains("did not exit") ? ["--grace", "600ms"] : []
    let report = try check(home, try FaultyExtension(fault, in: home).bundle, ["--only", name] + grace)
    #expect(report.command.code == 1, "\(report.command.text)\(report.command.errors)")
    #expect(report.names("fail") == [name])
    #expect(report.reason(name).contains(words), "\(report.reason(name))")
    #expect(report.check(name)?["fix"]?.string?.isEmpty == false)
    #expect(report.json["passed"] == false)
  }

  @Test
  func
    `the attack check fails for a weak policy of the extension, and passes for a shipped one`()
    throws
  {
    let home = try TestHome(TestUser.available[0])
    let weak = #"{ "name": "weak", "extends": "base", "syscalls": { "allow": ["shmget"] } }"#
    let report = try check(
      home,
      try FaultyExtension("nothing", in: home, policy: weak).bundle,
      ["--only", "attack"]
    )
    #expect(report.command.code == 1)
    #expect(report.reason("attack").contains("got through"), "\(report.reason("attack"))")
    // Without a probe program, nothing is known and no check passes.
    let failing = try home.write("failing", "#!/bin/sh\nexit 1\n", mode: 0o755)
    let untried = try check(home, "\(home.file("Wrong"))", ["--only", "attack", "--probes", failing])
    #expect(untried.command.code == 69 && untried.names("untried") == ["attack"])
    #expect(untried.json["passed"] == false)
  }

  @Test func `the example extensions pass, and checks that do not apply are skipped`() throws {
    let home = try TestHome(.regular)
    let sample = home.programs.bundle
    let notes = try check(home, "\(sample)/Extensions/Notes", Self.allButAttack)
    #expect(notes.command.code == 0, "\(notes.command.text)")
    #expect(notes.names("notApplicable") == ["viewfinder", "denied", "revoked", "unplugged", "stalled"])
    let recorder = try check(
      home,
      "\(sample)/Extensions/FFmpegRecorder",
      ["--only", "protocol", "--only", "viewfinder", "--only", "stalled"]
    )
    #expect(
      recorder.command.code == 0 && recorder.verdict("protocol") == "notApplicable",
      "\(recorder.command.text)"
    )
    for name in ["FrameLogger", "Timelapse", "Snapshot"] {
      let report = try check(
        home,
        "\(sample)/Extensions/\(name)",
        ["--only", "full", "--only", "unplugged", "--only", "stalled"]
      )
      #expect(report.command.code == 0 && report.names("pass").count == 3, "\(report.command.text)")
    }
  }

  @Test func `tests an installed extension in a temporary state root and leaves its own unchanged`() throws {
    let home = try TestHome(.regular)
    try home.install()
    try runShell(
      "cd '\(home.root)' && find . -exec stat -c '%n %s %Y' {} + | sort >'\(home.directory)/before'"
    )
    let report = try check(home, "\(TestHome.app).notes", ["--only", "dismissal"])
    #expect(report.command.code == 0 && report.json["extension"]?.string == "\(TestHome.app).notes")
    try runShell(
      "cd '\(home.root)' && find . -exec stat -c '%n %s %Y' {} + | sort | diff '\(home.directory)/before' -"
    )
  }

  @Test func `rejects missing and ambiguous extensions and checks with a fix`() throws {
    let home = try TestHome(.regular)
    for (words, code, sentence) in [
      (["\(home.programs.bundle)"], 64, "has several extensions; give the ID or the directory of one: "),
      (["/tmp"], 66, "contains neither app.json nor extension.json"),
      (["./nowhere"], 66, "the bundle cannot be read"), (["org.example.nobody"], 66, "org.example.nobody"),
      (["--only", "full", "--skip", "full", "x"], 64, "select no check"), ([], 64, "no extension was given"),
      (["--only", "everything", "x"], 64, "everything"),
    ] as [([String], Int32, String)] {
      let result = try home.darkroom("test", words)
      #expect(
        result.code == code && result.errors.contains(sentence),
        "\(words): \(result.code) \(result.errors)"
      )
    }
    let list = try home.darkroom("test", ["--list"])
    #expect(list.code == 0 && list.text.contains("mid-write") && list.text.split(separator: "\n").count == 14)
  }
}
