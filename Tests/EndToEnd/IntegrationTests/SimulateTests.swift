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
      json["findings"]?.elements?.first { $0["line"]?.integer == line }?["observed"]?.string ?? ""
    }
  }

  private func simulate(
    _ home: TestHome,
    _ subject: String,
    _ script: String,
    _ arguments: [String] = []
  ) throws -> Report {
    home.variables = ["TMPDIR=\(home.directory)"]
    let path = try home.write("script", script)
    let result = try home.darkroom("simulate", ["--json", "--script", path] + arguments + [subject])
    try #require(!result.output.isEmpty, "\(result.code): \(result.errors)")
    try home.expectNothingLeft()
    #expect(try FileSystem.names(in: home.directory).filter { $0.contains("workshop") } == [])
    return Report(command: result, json: try home.json(result.output))
  }

  @Test(arguments: TestUser.available)
  func `a script waits for events, and each expectation is reported`(user: TestUser) throws {
    let home = try TestHome(user)
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
      expect outcome dismissed user exited 0
      expect files 1
      expect no file *.part
      expect no refusal
      expect no violation
      """
    let report = try simulate(home, "\(home.programs.bundle)/Extensions/Snapshot", script)
    #expect(report.command.code == 0, "\(report.command.text)")
    #expect(report.lines("passed") == [2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14, 15])
    #expect(report.json["passed"] == true && report.json["content"] == nil)
  }

  @Test func `taps and drags reach an extension that has subscribed to them`() throws {
    let home = try TestHome(.regular)
    let script = """
      await touchable within 20s
      tap 10 20.5
      drag 1 2 to 31 2 in 200ms
      expect log "began 0 10 20.5" within 20s
      expect log "ended 0 10 20.5" within 20s
      expect log "began 0 1 2" within 20s
      expect log "moved 0" within 20s
      expect log "ended 0 31 2" within 20s
      tap 9999 0
      expect log "(9999.0, 0.0) is outside the picture" within 20s
      dismiss
      expect no touchable
      """
    let report = try simulate(home, try FaultyExtension("touched", in: home).bundle, script)
    #expect(report.command.code == 0, "\(report.command.text)")
    let deaf = try simulate(
      home,
      try FaultyExtension("nothing", in: home).bundle,
      "await listening within 20s\ntap 1 1\nexpect log \"has not subscribed to pointer events\" within 20s\n"
        + "expect no touchable\ndismiss"
    )
    #expect(deaf.command.code == 0, "\(deaf.command.text)")
  }

  @Test func `reports each failed expectation with the observed state, and exits with 1`() throws {
    let home = try TestHome(.regular)
    let bundle = try FaultyExtension("nothing", in: home).bundle
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
    let report = try simulate(home, bundle, script)
    #expect(report.command.code == 1)
    #expect(report.lines("passed") == [1, 2] && report.lines("failed") == [3, 4, 5, 7, 8, 9])
    #expect(report.seen(3) == "no files")
    #expect(report.seen(7).hasPrefix("dismissed user exited 0: "))
    #expect(report.seen(9) == "no call was refused")
    // The same report as text.
    let path = try home.write("short", "await listening within 20s\npress\ndismiss\nexpect files 3\n")
    let text = try home.darkroom("simulate", ["--script", path, bundle])
    #expect(text.code == 1)
    let lines = text.text.split(separator: "\n").map(String.init)
    #expect(lines.starts(with: ["TAP version 14", "1..3", "ok 1 - \(path):1: await listening within 20s"]))
    #expect(lines.contains("not ok 2 - \(path):4: expect files 3"))
    #expect(lines.contains("  seen: \"1 file: photo-1.pgm\""), "\(text.text)")
    #expect(lines.contains("ok 3 - the session ends successfully"))
  }

  @Test func `applies simulated permissions, camera, space, lock and context, and notifies the extension`()
    throws
  {
    let home = try TestHome(.regular)
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
    let report = try simulate(home, try FaultyExtension("loud", in: home).bundle, script)
    #expect(report.command.code == 0, "\(report.command.text)")
  }

  @Test func `a dismissal cancels a press whose button is down`() throws {
    let home = try TestHome(.regular)
    let script = #"""
      await listening within 20s
      down primary
      expect log "capture/event {\"button\": \"primary\", \"phase\": \"began\"" within 20s
      dismiss
      expect log "capture/event {\"button\": \"primary\", \"phase\": \"cancelled\""
      expect no log "\"phase\": \"ended\""
      expect outcome dismissed user exited 0
      """#
    let report = try simulate(home, try FaultyExtension("loud", in: home).bundle, script)
    #expect(report.command.code == 0, "\(report.command.text)")
  }

  @Test
  func `simulated authentication opens the app without a prompt or a process`()
    throws
  {
    let home = try TestHome(.regular)
    let bundle = try FaultyExtension("leaving", in: home).bundle
    let opened = """
      given locked
      await listening within 20s
      press
      expect outcome dismissed applicationOpened
      """
    let report = try simulate(home, bundle, opened)
    #expect(report.command.code == 0, "\(report.command.text)")
    let refused = """
      given locked
      given authentication fails
      await listening within 20s
      press
      expect log "the app was not opened" within 20s
      dismiss
      expect outcome dismissed user
      """
    let other = try simulate(home, bundle, refused)
    #expect(other.command.code == 0, "\(other.command.text)")
  }

  @Test func `simulates a denied, revoked, stalled and missing camera`() throws {
    let home = try TestHome(.regular)
    let bundle = try FaultyExtension("nothing", in: home).bundle
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
      let report = try simulate(home, bundle, script)
      #expect(report.command.code == 0, "\(script): \(report.command.text)")
      #expect(report.lines("passed").count == held)
    }
  }

  @Test func `rejects an invalid script before the launch`() throws {
    let home = try TestHome(.regular)
    let script = try home.write("bad", "await listening\nexpect viewfinder\njump\npress\n")
    let result = try home.darkroom("simulate", ["--script", script, "./nowhere"])
    #expect(result.code == 65)
    #expect(result.errors.contains("bad:2: unknown condition 'viewfinder'"))
    #expect(result.errors.contains("bad:3: unknown step 'jump'"))
    let good = try home.write("good", "dismiss\n")
    for (arguments, code, sentence) in [
      ([home.programs.bundle], 64, "--script"),
      (["--script", home.file("none"), "x"], 66, "the script cannot be read"),
      (
        ["--script", good, "--camera", "/dev/video0", home.programs.bundle], 64,
        "'darkroom run' for a real camera"
      ),
      (
        ["--script", good, "--camera", home.file("none"), "\(home.programs.bundle)/Extensions/Snapshot"],
        66, "no camera"
      ),
      (
        ["--script", good, "--keep", home.directory, "\(home.programs.bundle)/Extensions/Notes"], 73,
        "File exists (EEXIST)"
      ),
    ] as [([String], Int32, String)] {
      let result = try home.darkroom("simulate", arguments)
      #expect(
        result.code == code && result.errors.contains(sentence),
        "\(arguments): \(result.code) \(result.errors)"
      )
    }
  }

  @Test func `rejects an invalid bundle with the position, and keeps the content with --keep`() throws {
    let home = try TestHome(.regular)
    let bundle = try FaultyExtension("nothing", in: home).bundle
    let script = try home.write(
      "script",
      "await listening within 20s\npress\nexpect file *.pgm within 20s\n"
    )
    let kept = home.file("kept")
    let result = try home.darkroom("simulate", ["--script", script, "--keep", kept, bundle])
    #expect(result.code == 0, "\(result.text)\(result.errors)")
    let content = try #require(result.text.firstMatch(of: #/# content: (.*)/#)).1
    #expect(content.hasPrefix(kept))
    #expect(try FileSystem.names(in: String(content)) == ["photo-1.pgm"])
    try home.write("Wrong/app.json", "{ \"id\": \"org.example.wrong\" }")
    let refused = try home.darkroom("simulate", ["--script", script, bundle])
    #expect(refused.code == 65 && refused.errors.contains("app.json:1:"), "\(refused.errors)")
  }

  @Test func `a real session supports waiting and expectations, but no simulated events`() throws {
    let home = try TestHome(.regular)
    try home.install(try FaultyExtension("nothing", in: home).bundle)
    func run(_ script: String) throws -> Command.Result {
      let path = try home.write("run", script)
      let arguments = ["--quiet", "--camera", "pattern:64x48@30", "--script", path, FaultyExtension.id]
      return try home.darkroom("run", arguments)
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
      bad.errors.contains("run:2: expect file *.jpg within 100ms: failed: no files"),
      "\(bad.errors)"
    )
    #expect(bad.errors.contains("run:4: expect outcome completed: failed: dismissed user exited 0"))
    let made = try run("press\n\nrevoke camera\n")
    #expect(made.code == 65)
    #expect(made.errors.contains("run:3: this step requires a simulated environment"), "\(made.errors)")
  }

  @Test func `a signal ends a simulation in order and leaves nothing behind`() throws {
    let home = try TestHome(.regular)
    let bundle = try FaultyExtension("nothing", in: home).bundle
    home.variables = ["TMPDIR=\(home.directory)"]
    let script = try home.write(
      "script",
      "await listening within 20s\npress\nawait log \"never\" within 1m\n"
    )
    let command = try home.startDarkroom("simulate", ["--script", script, bundle])
    let isThere = { try FileSystem.names(in: home.directory).contains { $0.contains("workshop") } }
    try command.wait(until: isThere)
    command.signal(SIGTERM)
    let result = try command.end()
    #expect(result.code == 75, "\(result.errors)")
    #expect(try !isThere())
    try home.expectNothingLeft()
  }
}
