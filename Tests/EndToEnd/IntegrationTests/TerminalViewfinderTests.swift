// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the viewfinder in a terminal (tmux).
@Suite(.timeLimit(.minutes(20)), .enabled(if: TestPrograms.has("tmux")), .waiting)
struct TerminalViewfinderTests {
  /// Returns the command that shows the test pattern in a terminal.
  private func command(_ home: TestHome, _ previewMode: String = TmuxTerminal.preview) -> String {
    "\(home.programs.darkroom) run \(TestHome.app).snapshot --camera pattern:320x240@30 --preview \(previewMode)"
  }

  /// Returns the greatest difference of the bars' colors in a line, or `nil` if there is no picture.
  private func difference(_ line: [TmuxTerminal.Cell]) -> Int? {
    guard let first = line.firstIndex(where: { $0 != nil }), let last = line.lastIndex(where: { $0 != nil }),
      last - first >= 16
    else { return nil }
    let width = last - first + 1
    return (0..<8).map { bar in
      guard let cell = line[first + (2 * bar + 1) * width / 16] else { return 255 }
      return zip(cell, ScreenshotTests.colours[bar]).map { abs($0 - $1) }.max() ?? 255
    }.max()
  }

  /// Waits for the picture in a terminal and returns its width in characters.
  private func awaitPicture(_ terminal: TmuxTerminal, rows: Int) throws -> Int {
    var width = 0
    try terminal.wait {
      let cells = try terminal.cells()
      guard cells.count >= rows, try terminal.text().contains("frames/s") else { return false }
      // A row above the moving box in the middle and below the number.
      let line = cells[rows / 4]
      guard let difference = difference(line), difference <= 12 else { return false }
      width = line.count { $0 != nil }
      return true
    }
    return width
  }

  @Test(arguments: TestUser.available)
  func `shows the right colors at any window size, and restores the terminal`(
    user: TestUser
  ) throws {
    let home = try TestHome(user)
    try home.install()
    let terminal = try TmuxTerminal(home, columns: 80, rows: 24)
    try terminal.type(line: command(home))
    // The width of 320x240 pixels if characters are twice as high as wide.
    #expect((58...62).contains(try awaitPicture(terminal, rows: 24)))
    #expect(
      try terminal.formatVariable("alternate_on") == "1" && terminal.formatVariable("cursor_flag") == "0"
    )
    // The status follows the picture.
    try terminal.wait {
      let line = try terminal.text().split(separator: "\n").last ?? ""
      return line.hasPrefix(" running  ") && line.contains(" shown  ") && line.contains(" dropped ")
    }
    try terminal.resize(columns: 40, rows: 12)
    #expect((27...31).contains(try awaitPicture(terminal, rows: 12)))
    try terminal.resize(columns: 100, rows: 30)
    try terminal.press("d")
    try terminal.wait { try terminal.text().contains("outcome   ") }
    let text = try terminal.text()
    #expect(
      text.contains("before") && text.contains(" frames shown, ") && text.contains(" a second; "),
      "\(text)"
    )
    #expect(!text.contains("frames/s"))
    #expect(
      try terminal.formatVariable("alternate_on") == "0" && terminal.formatVariable("cursor_flag") == "1"
    )
    try expectShell(terminal)
    try home.expectNothingLeft()
  }

  /// Checks that the shell controls the terminal and echoes input.
  private func expectShell(
    _ terminal: TmuxTerminal,
    _ number: Int = 1,
    echoes: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try terminal.wait {
      try terminal.formatVariable("alternate_on") == "0" && terminal.formatVariable("cursor_flag") == "1"
        && terminal.formatVariable("wrap_flag") == "1"
    }
    try terminal.type(line: "echo 'still' \"here\" $((7000 + \(number)))")
    try terminal.wait { try terminal.text().contains("still here \(7000 + number)") }
    guard echoes else { return }
    // The shell echoes typed text.
    let text = try terminal.text()
    #expect(text.contains("$((7000 + \(number)))"), "\(text)", sourceLocation: sourceLocation)
  }

  /// Returns the PIDs of the only session's host and of its viewfinder program.
  private func processes(_ home: TestHome) throws -> (host: Int32, helper: Int32) {
    let sessions = try home.json(try home.darkroom("ps", ["--json"]).output)["sessions"]?.elements
    let host = Int32(try #require(sessions?.first?["hostProcess"]?.integer))
    let children = ProcessFacts(host)?.children(of: host) ?? []
    let program = "\(FileSystem.directoryName(home.programs.darkroom))/darkroom-viewfinder"
    let helpers = children.filter { (try? FileSystem.linkTarget("/proc/\($0)/exe")) == program }
    let helper = try #require(helpers.first)
    return (host, helper)
  }

  @Test func `shows that a session is ending while its extension has the grace period`() throws {
    let home = try TestHome(TestUser.available[0])
    try home.install(try FaultyExtension("deaf", in: home).bundle)
    let terminal = try TmuxTerminal(home, columns: 80, rows: 24)
    let options = "--camera pattern:64x32@30 --preview \(TmuxTerminal.preview)"
    try terminal.type(line: "\(home.programs.darkroom) run \(options) \(FaultyExtension.id)")
    // The extension handles presses when it runs. It draws no frame, so that the viewfinder still shows " starting".
    try terminal.wait {
      try terminal.press("Space")
      return try home.names("sessions").contains { session in
        try home.names("sessions/\(session)/content").contains("photo-1.pgm")
      }
    }
    #expect(try terminal.text().contains(" starting  "))
    try terminal.press("d")
    try terminal.wait { try terminal.text().contains(" ending  ") }
    // A second key ends the session without a grace period.
    try terminal.press("q")
    try terminal.wait { try terminal.text().contains("outcome   ") }
    try home.expectNothingLeft()
  }

  @Test func `leaves the terminal to the shell while the session is stopped`() throws {
    let home = try TestHome(TestUser.available[0])
    try home.install()
    let terminal = try TmuxTerminal(home, columns: 80, rows: 24)
    try terminal.type(line: "set -m; \(command(home))")
    _ = try awaitPicture(terminal, rows: 24)
    try terminal.press("C-z")
    // The message is on the main screen, not on that of the picture.
    try terminal.wait { try terminal.text().contains("Stopped") }
    #expect(try terminal.formatVariable("alternate_on") == "0")
    try expectShell(terminal)
    try terminal.type(line: "fg")
    _ = try awaitPicture(terminal, rows: 24)
    // SIGSTOP cannot be handled, so the host does not restore the terminal modes.
    let host = try processes(home).host
    kill(host, SIGSTOP)
    try expectShell(terminal, 2, echoes: false)
    try terminal.type(line: "fg")
    _ = try awaitPicture(terminal, rows: 24)
    try terminal.press("C-c")
    try terminal.wait { try terminal.text().contains("outcome   ") }
    try expectShell(terminal, 3)
    try home.expectNothingLeft()
  }

  @Test func `leaves the terminal to the shell if the host is killed`() throws {
    let home = try TestHome(TestUser.available[0])
    try home.install()
    let terminal = try TmuxTerminal(home, columns: 80, rows: 24)
    try terminal.type(line: command(home))
    _ = try awaitPicture(terminal, rows: 24)
    let (host, helper) = try processes(home)
    kill(host, SIGKILL)
    try expectShell(terminal)
    try terminal.wait { access("/proc/\(helper)", F_OK) != 0 }
    #expect(try home.darkroom("recover", []).code == 0)
  }

  @Test func `restores a blocked terminal after its viewfinder program was killed`() throws {
    let home = try TestHome(TestUser.available[0])
    try home.install()
    let terminal = try TmuxTerminal(home, columns: 100, rows: 24)
    try terminal.type(line: command(home))
    _ = try awaitPicture(terminal, rows: 24)
    let helper = try processes(home).helper
    let server = try #require(pid_t(try terminal.formatVariable("pid")))
    kill(server, SIGSTOP)
    // After some pictures the terminal's buffer is full.
    MonotonicClock.sleep(milliseconds: 2000)
    kill(helper, SIGKILL)
    try terminal.wait { access("/proc/\(helper)", F_OK) != 0 }
    MonotonicClock.sleep(milliseconds: 1000)
    kill(server, SIGCONT)
    try terminal.wait { try terminal.text().contains("the viewfinder is no longer shown") }
    #expect(
      try terminal.formatVariable("alternate_on") == "0" && terminal.formatVariable("cursor_flag") == "1"
    )
    try terminal.press("d")
    try terminal.wait { try terminal.text().contains("outcome   ") }
    try expectShell(terminal)
  }

  @Test(arguments: [SIGKILL, SIGSTOP])
  func `a session continues and the terminal works without the viewfinder program`(signal: Int32) throws {
    let home = try TestHome(TestUser.available[0])
    try home.install()
    let terminal = try TmuxTerminal(home, columns: 100, rows: 24)
    let record = home.file("record.json")
    try terminal.type(line: "\(command(home)) --record \(record)")
    _ = try awaitPicture(terminal, rows: 24)
    let helper = try processes(home).helper
    kill(helper, signal)
    if signal == SIGKILL {
      try terminal.wait { try terminal.text().contains("the viewfinder is no longer shown") }
      #expect(try terminal.text().contains("terminated by SIGKILL"))
      #expect(
        try terminal.formatVariable("alternate_on") == "0" && terminal.formatVariable("cursor_flag") == "1"
      )
    }
    // The shutter key and the dismissal key.
    try terminal.press("Space")
    let session = try #require(try home.names("sessions").first)
    try terminal.wait { try home.names("sessions/\(session)/content").contains { $0.hasSuffix(".jpg") } }
    try terminal.press("d")
    try terminal.wait { try terminal.text().contains("outcome   ") }
    try expectShell(terminal)
    let sessionRecord = try home.json(try #require(try FileSystem.contents(record)))
    #expect(
      sessionRecord["outcome"]?["kind"]?.string == "dismissed"
        && sessionRecord["content"]?["files"]?.integer == 1
    )
    #expect(access("/proc/\(helper)", F_OK) != 0)
    try home.expectNothingLeft()
  }

  @Test(arguments: TestUser.available)
  func `the viewfinder program is confined and has no capabilities`(user: TestUser) throws {
    let home = try TestHome(user)
    try home.install()
    let terminal = try TmuxTerminal(home, columns: 80, rows: 24)
    try terminal.type(line: command(home))
    _ = try awaitPicture(terminal, rows: 24)
    let helper = try processes(home).helper
    let status = String(
      decoding: try #require(try FileSystem.contents("/proc/\(helper)/status")),
      as: UTF8.self
    )
    var facts: [Substring: Substring] = [:]
    for line in status.split(separator: "\n") {
      let fields = line.split(separator: ":\t", maxSplits: 1)
      if fields.count == 2 { facts[fields[0]] = fields[1] }
    }
    #expect(facts["NoNewPrivs"] == "1" && facts["Seccomp"] == "2" && facts["Threads"] == "1")
    for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
      #expect(facts[Substring(set)] == "0000000000000000", "\(set)")
    }
    try terminal.press("q")
    try terminal.wait { try terminal.text().contains("outcome   ") }
  }

  @Test func `rejects an unavailable preview before the launch`() throws {
    let home = try TestHome(TestUser.available[0])
    try home.install()
    for (previewMode, code, text) in [
      ("terminal", 64, "--preview terminal requires a terminal on standard output or standard error"),
      ("terminal:holograph", 64, "use one of blocks, sixel, kitty"),
      ("sixel", 64, "use --preview terminal:sixel, or --preview ./sixel for a file"),
    ] as [(String, Int32, String)] {
      let result = try home.darkroom(
        "run",
        ["\(TestHome.app).snapshot", "--camera", "pattern", "--preview", previewMode]
      )
      #expect(result.code == code && result.errors.contains(text), "\(result.errors)")
    }
    #expect(
      try home.json(try home.darkroom("logs", ["list", "--json"]).output)["entries"]?.elements?.count ?? 0
        == 0
    )
  }
}
