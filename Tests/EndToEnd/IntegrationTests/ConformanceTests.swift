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

  private func check(_ place: Place, _ subject: String, _ words: [String]) throws -> Report {
    place.variables = ["TMPDIR=\(place.directory)"]
    let result = try place.darkroom("test", ["--json"] + words + [subject])
    try #require(!result.output.isEmpty, "\(result.code): \(result.errors)")
    // The temporary state root has been removed, and no other state root has changed.
    try place.expectNothingLeft()
    #expect(try FileSystem.names(in: place.directory).filter { $0.contains("workshop") } == [])
    return Report(command: result, json: try place.json(result.output))
  }

  /// Options that skip the attack battery, which uses all processors for seconds. AttackTests covers it.
  private static let allButAttack = ["--skip", "attack"]

  @Test(arguments: Person.available)
  func `an extension that gets everything right passes every check`(person: Person) throws {
    let place = try Place(person)
    let report = try check(place, try WrongExtension("nothing", in: place).bundle, Self.allButAttack)
    #expect(report.command.code == 0 && report.names("pass").count == 12, "\(report.command.text)")
    #expect(report.json["holds"] == true)
  }

  @Test(arguments: [
    ("garbled", "protocol", "is not a JSON value"), ("mute", "protocol", "never answered"),
    ("dark", "viewfinder", "viewfinder"), ("deaf", "dismissal", "had not ended 600 ms"),
    ("slow", "mid-write", "photo-1.pgm is handed over, and is not whole"),
    ("picky", "context", "exit code 1"),
    ("hopeful", "denied", "SIGABRT"), ("proud", "revoked", "SIGABRT"),
    ("stunned", "unplugged", "had not ended"),
    ("patient", "stalled", "had not ended"),
    ("expectant", "stalled", "before its first frame: it had not ended"),
    ("careless", "full", "File too large"),
    ("jealous", "twice", "somebody else has the context"), ("curious", "calls", "socket"),
  ])
  func `each check fails for an extension that gets it wrong, with the reason and the mend`(
    fault: String,
    name: String,
    words: String
  ) throws {
    let place = try Place(Person.available[0])
    let grace = words.contains("had not ended") ? ["--grace", "600ms"] : []
    let report = try check(place, try WrongExtension(fault, in: place).bundle, ["--only", name] + grace)
    #expect(report.command.code == 1, "\(report.command.text)\(report.command.errors)")
    #expect(report.names("fail") == [name])
    #expect(report.reason(name).contains(words), "\(report.reason(name))")
    #expect(report.check(name)?["mend"]?.string?.isEmpty == false)
    #expect(report.json["holds"] == false)
  }

  @Test
  func
    `a policy of the extension's own that lets something through fails the attack, and a shipped one does not`()
    throws
  {
    let place = try Place(Person.available[0])
    let weak = #"{ "name": "weak", "extends": "base", "syscalls": { "allow": ["shmget"] } }"#
    let report = try check(
      place,
      try WrongExtension("nothing", in: place, policy: weak).bundle,
      ["--only", "attack"]
    )
    #expect(report.command.code == 1)
    #expect(report.reason("attack").contains("got through"), "\(report.reason("attack"))")
    // Without a probe program, nothing is known and no check passes.
    let nobody = try place.write("nobody", "#!/bin/sh\nexit 1\n", mode: 0o755)
    let untried = try check(place, "\(place.file("Wrong"))", ["--only", "attack", "--probes", nobody])
    #expect(untried.command.code == 69 && untried.names("untried") == ["attack"])
    #expect(untried.json["holds"] == false)
  }

  @Test func `the examples pass, and are not asked for what they do not do`() throws {
    let place = try Place(.ordinary)
    let sample = place.programs.bundle
    let notes = try check(place, "\(sample)/Extensions/Notes", Self.allButAttack)
    #expect(notes.command.code == 0, "\(notes.command.text)")
    #expect(notes.names("notApplicable") == ["viewfinder", "denied", "revoked", "unplugged", "stalled"])
    let recorder = try check(
      place,
      "\(sample)/Extensions/FFmpegRecorder",
      ["--only", "protocol", "--only", "viewfinder", "--only", "stalled"]
    )
    #expect(
      recorder.command.code == 0 && recorder.verdict("protocol") == "notApplicable",
      "\(recorder.command.text)"
    )
    for name in ["FrameLogger", "Timelapse", "Snapshot"] {
      let report = try check(
        place,
        "\(sample)/Extensions/\(name)",
        ["--only", "full", "--only", "unplugged", "--only", "stalled"]
      )
      #expect(report.command.code == 0 && report.names("pass").count == 3, "\(report.command.text)")
    }
  }

  @Test func `an installed extension is tried in another state root, and its own is as it was`() throws {
    let place = try Place(.ordinary)
    try place.install()
    try runShell(
      "cd '\(place.root)' && find . -exec stat -c '%n %s %Y' {} + | sort >'\(place.directory)/before'"
    )
    let report = try check(place, "\(Place.app).notes", ["--only", "dismissal"])
    #expect(report.command.code == 0 && report.json["extension"]?.string == "\(Place.app).notes")
    try runShell(
      "cd '\(place.root)' && find . -exec stat -c '%n %s %Y' {} + | sort | diff '\(place.directory)/before' -"
    )
  }

  @Test func `what is not there, or is several, is named with the mend`() throws {
    let place = try Place(.ordinary)
    for (words, code, sentence) in [
      (["\(place.programs.bundle)"], 64, "has several extensions; name one of them: "),
      (["/tmp"], 66, "holds neither app.json nor extension.json"),
      (["./nowhere"], 66, "the bundle cannot be read"), (["org.example.nobody"], 66, "org.example.nobody"),
      (["--only", "full", "--skip", "full", "x"], 64, "leave no check"), ([], 64, "which extension?"),
      (["--only", "everything", "x"], 64, "everything"),
    ] as [([String], Int32, String)] {
      let result = try place.darkroom("test", words)
      #expect(
        result.code == code && result.errors.contains(sentence),
        "\(words): \(result.code) \(result.errors)"
      )
    }
    let list = try place.darkroom("test", ["--list"])
    #expect(list.code == 0 && list.text.contains("mid-write") && list.text.split(separator: "\n").count == 14)
  }
}
