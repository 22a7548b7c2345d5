// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of `darkroom simulate`, which runs a sandboxed extension in a simulated environment and checks
/// expectations.
@Suite(.timeLimit(.minutes(20)), .waiting) struct SimulateTests {
  /// The result of a script.
  private struct Report {
    /// The result of the command.
    let command: Command.Result
    /// The JSON document.
    let json: JSONValue

    /// Returns the lines with a verdict.
    func lines(_ verdict: String) -> [Int64] {
      (json["findings"]?.elements ?? []).filter { $0["verdict"]?.string == verdict }
        .map { $0["line"]?.integer ?? 0 }
    }

    /// Returns the observed state of a failed expectation.
    func seen(_ line: Int64) -> String {
      json["findings"]?.elements?.first { $0["line"]?.integer == line }?["seen"]?.string ?? ""
    }
  }

  private func simulate(
    _ place: Place,
    _ subject: String,
    _ script: String,
    _ words: [String] = []
  ) throws -> Report {
    place.variables = ["TMPDIR=\(place.directory)"]
    let path = try place.write("script", script)
    let result = try place.darkroom("simulate", ["--json", "--script", path] + words + [subject])
    try #require(!result.output.isEmpty, "\(result.code): \(result.errors)")
    try place.expectNothingLeft()
    #expect(try FileSystem.names(in: place.directory).filter { $0.contains("workshop") } == [])
    return Report(command: result, json: try place.json(result.output))
  }

  @Test(arguments: Person.available)
  func `a script waits for what happens, and each of its expectations is reported`(person: Person) throws {
    let place = try Place(person)
    let script = """
      # Snapshot, in Swift
      await listening within 20s
      expect answered
      expect camera
      expect presented within 20s
      press primary
      expect file photo-1.jpg within 20s
      expect log "wrote photo-1.jpg" within 20s
      expect frames 3 within 20s
      dismiss
      expect outcome dismissed person exited 0
      expect files 1
      expect no file *.part
      expect no refusal
      expect no violation
      """
    let report = try simulate(place, "\(place.programs.bundle)/Extensions/Snapshot", script)
    #expect(report.command.code == 0, "\(report.command.text)")
    #expect(report.lines("held") == [2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14, 15])
    #expect(report.json["holds"] == true && report.json["content"] == nil)
  }

  @Test func `what is otherwise is said line by line with what was seen, and the exit code is 1`() throws {
    let place = try Place(.ordinary)
    let bundle = try WrongExtension("nothing", in: place).bundle
    let script = """
      expect presented within 20s
      await listening within 20s
      expect files 3 within 100ms
      expect log "never said" within 100ms
      expect no frame within 5s
      dismiss
      expect outcome completed
      expect file *.jpg
      expect refusal socket
      """
    let report = try simulate(place, bundle, script)
    #expect(report.command.code == 1)
    #expect(report.lines("held") == [1, 2] && report.lines("failed") == [3, 4, 5, 7, 8, 9])
    #expect(report.seen(3) == "no file")
    #expect(report.seen(7).hasPrefix("dismissed person exited 0: "))
    #expect(report.seen(9) == "no call was refused")
    // The same report as text.
    let path = try place.write("short", "await listening within 20s\npress\ndismiss\nexpect files 3\n")
    let text = try place.darkroom("simulate", ["--script", path, bundle])
    #expect(text.code == 1)
    let lines = text.text.split(separator: "\n").map(String.init)
    #expect(lines.starts(with: ["TAP version 14", "1..3", "ok 1 - \(path):1: await listening within 20s"]))
    #expect(lines.contains("not ok 2 - \(path):4: expect files 3"))
    #expect(lines.contains("  seen: \"1 file: photo-1.pgm\""), "\(text.text)")
    #expect(lines.contains("ok 3 - the session ends well"))
  }

  @Test func `permissions, camera, room, lock and context are as the script says, and the extension is told`()
    throws
  {
    let place = try Place(.ordinary)
    let script = #"""
      given locked
      await listening within 20s
      revoke microphone
      expect log "permission/changed " within 20s
      space 0
      expect log "content/room {\"state\": \"full\", \"reason\": \"disk\"" within 20s
      space free
      expect log "content/room {\"state\": \"free\"" within 20s
      camera rate 5
      expect log "camera/changed {\"frameRate\": [5, 1]" within 20s
      unlock
      expect log "lock/changed {\"lockState\": \"unlocked\"" within 20s
      context {"a": 1}
      expect log "context/changed {\"context\": {\"a\": 1}" within 20s
      unplug
      expect log "camera/ended {\"reason\": \"unplugged\"" within 20s
      expect no camera
      lock
      expect outcome dismissed lockChanged exited 0
      """#
    let report = try simulate(place, try WrongExtension("loud", in: place).bundle, script)
    #expect(report.command.code == 0, "\(report.command.text)")
  }

  @Test
  func `the app is opened when the person proves who they are, and nobody is asked nor anything started`()
    throws
  {
    let place = try Place(.ordinary)
    let bundle = try WrongExtension("leaving", in: place).bundle
    let opened = """
      given locked
      await listening within 20s
      press
      expect outcome dismissed applicationOpened
      """
    let report = try simulate(place, bundle, opened)
    #expect(report.command.code == 0, "\(report.command.text)")
    let refused = """
      given locked
      given authentication fails
      await listening within 20s
      press
      expect log "the app was not opened" within 20s
      dismiss
      expect outcome dismissed person
      """
    let other = try simulate(place, bundle, refused)
    #expect(other.command.code == 0, "\(other.command.text)")
  }

  @Test func `a camera that is denied, revoked, stalled or absent is so`() throws {
    let place = try Place(.ordinary)
    let bundle = try WrongExtension("nothing", in: place).bundle
    for (script, held) in [
      ("given camera denied\nawait answered within 20s\nexpect no camera within 300ms\ndismiss", 3),
      ("given no camera\nawait answered within 20s\nexpect no camera within 300ms", 3),
      ("await camera within 20s\nrevoke camera\nawait no camera within 20s\nexpect no frame within 300ms", 4),
      (
        """
        given camera stalled
        await camera within 20s
        expect no frames 1 within 300ms
        camera resume
        expect frame within 20s
        """, 4
      ),
      (
        """
        await frames 3 within 20s
        camera stall
        wait 300ms
        expect no frame within 300ms
        camera resume
        expect frame within 20s
        """, 4
      ),
    ] {
      let report = try simulate(place, bundle, script)
      #expect(report.command.code == 0, "\(script): \(report.command.text)")
      #expect(report.lines("held").count == held)
    }
  }

  @Test func `what a script cannot mean is named before anything starts`() throws {
    let place = try Place(.ordinary)
    let script = try place.write("bad", "await listening\nexpect viewfinder\njump\npress\n")
    let result = try place.darkroom("simulate", ["--script", script, "./nowhere"])
    #expect(result.code == 65)
    #expect(result.errors.contains("bad:2: nothing that can be seen of a session is called \"viewfinder\""))
    #expect(result.errors.contains("bad:3: there is no step \"jump\""))
    let good = try place.write("good", "dismiss\n")
    for (words, code, sentence) in [
      ([place.programs.bundle], 64, "--script"),
      (["--script", place.file("none"), "x"], 66, "the script cannot be read"),
      (
        ["--script", good, "--camera", "/dev/video0", place.programs.bundle], 64,
        "'darkroom run' for a real camera"
      ),
      (
        ["--script", good, "--camera", place.file("none"), "\(place.programs.bundle)/Extensions/Snapshot"],
        66, "no camera"
      ),
      (
        ["--script", good, "--keep", place.directory, "\(place.programs.bundle)/Extensions/Notes"], 73,
        "is there already"
      ),
    ] as [([String], Int32, String)] {
      let result = try place.darkroom("simulate", words)
      #expect(
        result.code == code && result.errors.contains(sentence),
        "\(words): \(result.code) \(result.errors)"
      )
    }
  }

  @Test func `a bundle with a mistake is refused with its place, and what is kept can be looked at`() throws {
    let place = try Place(.ordinary)
    let bundle = try WrongExtension("nothing", in: place).bundle
    let script = try place.write(
      "script",
      "await listening within 20s\npress\nexpect file *.pgm within 20s\n"
    )
    let kept = place.file("kept")
    let result = try place.darkroom("simulate", ["--script", script, "--keep", kept, bundle])
    #expect(result.code == 0, "\(result.text)\(result.errors)")
    let content = try #require(result.text.firstMatch(of: #/# content: (.*)/#)).1
    #expect(content.hasPrefix(kept))
    #expect(try FileSystem.names(in: String(content)) == ["photo-1.pgm"])
    try place.write("Wrong/app.json", "{ \"id\": \"org.example.wrong\" }")
    let refused = try place.darkroom("simulate", ["--script", script, bundle])
    #expect(refused.code == 65 && refused.errors.contains("app.json:1:"), "\(refused.errors)")
  }

  @Test func `a real session waits and expects, too, but its surroundings are not changed`() throws {
    let place = try Place(.ordinary)
    try place.install(try WrongExtension("nothing", in: place).bundle)
    func run(_ script: String) throws -> Command.Result {
      let path = try place.write("run", script)
      let words = ["--quiet", "--camera", "pattern:64x48@30", "--script", path, WrongExtension.id]
      return try place.darkroom("run", words)
    }
    let good = try run(
      "await listening within 20s\npress\nawait file *.pgm within 20s\ndismiss\nexpect files 1\n"
    )
    #expect(good.code == 0, "\(good.errors)")
    let bad = try run(
      "await listening within 20s\nexpect file *.jpg within 100ms\ndismiss\nexpect outcome completed\n"
    )
    #expect(bad.code == 1)
    #expect(
      bad.errors.contains("run:2: expect file *.jpg within 100ms: it was not so: no file"),
      "\(bad.errors)"
    )
    #expect(bad.errors.contains("run:4: expect outcome completed: it was not so: dismissed person exited 0"))
    let made = try run("press\n\nrevoke camera\n")
    #expect(made.code == 65)
    #expect(made.errors.contains("run:3: this session's surroundings are real"), "\(made.errors)")
  }

  @Test func `a signal ends a simulation in order, and nothing is left`() throws {
    let place = try Place(.ordinary)
    let bundle = try WrongExtension("nothing", in: place).bundle
    place.variables = ["TMPDIR=\(place.directory)"]
    let script = try place.write(
      "script",
      "await listening within 20s\npress\nawait log \"never\" within 1m\n"
    )
    let command = try place.startDarkroom("simulate", ["--script", script, bundle])
    let isThere = { try FileSystem.names(in: place.directory).contains { $0.contains("workshop") } }
    try command.wait(until: isThere)
    command.signal(SIGTERM)
    let result = try command.end()
    #expect(result.code == 75, "\(result.errors)")
    #expect(try !isThere())
    try place.expectNothingLeft()
  }
}
