// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the viewfinder in a terminal (tmux).
@Suite(.timeLimit(.minutes(20)), .enabled(if: Programs.has("tmux")), .waiting)
struct TerminalViewfinderTests {
  /// Returns the command that shows the test pattern in a terminal.
  private func command(_ place: Place, _ way: String = "terminal") -> String {
    "\(place.programs.darkroom) run \(Place.app).snapshot --camera pattern:320x240@30 --preview \(way)"
  }

  /// Returns the greatest difference of the bars' colors in a line, or `nil` if there is no picture.
  private func difference(_ line: [CapturedTerminal.Cell]) -> Int? {
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
  private func awaitPicture(_ terminal: CapturedTerminal, rows: Int) throws -> Int {
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

  @Test(arguments: Person.available)
  func `colours are where they belong, also in a window of another size, and then all is as before`(
    person: Person
  ) throws {
    let place = try Place(person)
    try place.install()
    let terminal = try CapturedTerminal(place, columns: 80, rows: 24)
    try terminal.type(line: command(place))
    // The width of 320x240 pixels if characters are twice as high as wide.
    #expect((58...62).contains(try awaitPicture(terminal, rows: 24)))
    #expect(try terminal.fact("alternate_on") == "1" && terminal.fact("cursor_flag") == "0")
    let line = try terminal.text().split(separator: "\n").last ?? ""
    #expect(
      line.hasPrefix(" running  ") && line.contains(" shown  ") && line.contains(" dropped "),
      "\(line)"
    )
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
    #expect(try terminal.fact("alternate_on") == "0" && terminal.fact("cursor_flag") == "1")
    try expectShell(terminal)
    try place.expectNothingLeft()
  }

  /// Checks that the shell controls the terminal and echoes input.
  private func expectShell(
    _ terminal: CapturedTerminal,
    _ number: Int = 1,
    echoes: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try terminal.wait {
      try terminal.fact("alternate_on") == "0" && terminal.fact("cursor_flag") == "1"
        && terminal.fact("wrap_flag") == "1"
    }
    try terminal.type(line: "echo 'still' \"here\" $((7000 + \(number)))")
    try terminal.wait { try terminal.text().contains("still here \(7000 + number)") }
    guard echoes else { return }
    // The shell echoes typed text.
    let text = try terminal.text()
    #expect(text.contains("$((7000 + \(number)))"), "\(text)", sourceLocation: sourceLocation)
  }

  /// Returns the PIDs of the only session's host and of its viewfinder program.
  private func processes(_ place: Place) throws -> (host: Int32, helper: Int32) {
    let sessions = try place.json(try place.darkroom("ps", ["--json"]).output)["sessions"]?.elements
    let host = Int32(try #require(sessions?.first?["hostProcess"]?.integer))
    let children = ProcessFacts(host)?.children(of: host) ?? []
    let program = "\(FileSystem.directoryName(place.programs.darkroom))/darkroom-viewfinder"
    let helpers = children.filter { (try? FileSystem.linkTarget("/proc/\($0)/exe")) == program }
    let helper = try #require(helpers.first)
    return (host, helper)
  }

  @Test func `a stop at the terminal leaves it to the shell, until the session is in front again`() throws {
    let place = try Place(Person.available[0])
    try place.install()
    let terminal = try CapturedTerminal(place, columns: 80, rows: 24)
    try terminal.type(line: "set -m; \(command(place))")
    _ = try awaitPicture(terminal, rows: 24)
    try terminal.press("C-z")
    // The message is on the main screen, not on that of the picture.
    try terminal.wait { try terminal.text().contains("Stopped") }
    #expect(try terminal.fact("alternate_on") == "0")
    try expectShell(terminal)
    try terminal.type(line: "fg")
    _ = try awaitPicture(terminal, rows: 24)
    // SIGSTOP cannot be handled, so the host does not restore the terminal modes.
    let host = try processes(place).host
    kill(host, SIGSTOP)
    try expectShell(terminal, 2, echoes: false)
    try terminal.type(line: "fg")
    _ = try awaitPicture(terminal, rows: 24)
    try terminal.press("C-c")
    try terminal.wait { try terminal.text().contains("outcome   ") }
    try expectShell(terminal, 3)
    try place.expectNothingLeft()
  }

  @Test func `a host that is killed leaves the terminal to the shell`() throws {
    let place = try Place(Person.available[0])
    try place.install()
    let terminal = try CapturedTerminal(place, columns: 80, rows: 24)
    try terminal.type(line: command(place))
    _ = try awaitPicture(terminal, rows: 24)
    let (host, helper) = try processes(place)
    kill(host, SIGKILL)
    try expectShell(terminal)
    try terminal.wait { access("/proc/\(helper)", F_OK) != 0 }
    #expect(try place.darkroom("recover", []).code == 0)
  }

  @Test func `a terminal that takes nothing while its program is ended is put right all the same`() throws {
    let place = try Place(Person.available[0])
    try place.install()
    let terminal = try CapturedTerminal(place, columns: 100, rows: 24)
    try terminal.type(line: command(place))
    _ = try awaitPicture(terminal, rows: 24)
    let helper = try processes(place).helper
    let server = try #require(pid_t(try terminal.fact("pid")))
    kill(server, SIGSTOP)
    // After some pictures the terminal's buffer is full.
    MonotonicClock.sleep(milliseconds: 2000)
    kill(helper, SIGKILL)
    try terminal.wait { access("/proc/\(helper)", F_OK) != 0 }
    MonotonicClock.sleep(milliseconds: 1000)
    kill(server, SIGCONT)
    try terminal.wait { try terminal.text().contains("the viewfinder is not shown any more") }
    #expect(try terminal.fact("alternate_on") == "0" && terminal.fact("cursor_flag") == "1")
    try terminal.press("d")
    try terminal.wait { try terminal.text().contains("outcome   ") }
    try expectShell(terminal)
  }

  @Test(arguments: [SIGKILL, SIGSTOP])
  func `without its program a session goes on, and the terminal is usable`(signal: Int32) throws {
    let place = try Place(Person.available[0])
    try place.install()
    let terminal = try CapturedTerminal(place, columns: 100, rows: 24)
    let record = place.file("record.json")
    try terminal.type(line: "\(command(place)) --record \(record)")
    _ = try awaitPicture(terminal, rows: 24)
    let helper = try processes(place).helper
    kill(helper, signal)
    if signal == SIGKILL {
      try terminal.wait { try terminal.text().contains("the viewfinder is not shown any more") }
      #expect(try terminal.text().contains("ended by SIGKILL"))
      #expect(try terminal.fact("alternate_on") == "0" && terminal.fact("cursor_flag") == "1")
    }
    // The shutter key and the dismissal key.
    try terminal.press("Space")
    let session = try #require(try place.names("sessions").first)
    try terminal.wait { try place.names("sessions/\(session)/content").contains { $0.hasSuffix(".jpg") } }
    try terminal.press("d")
    try terminal.wait { try terminal.text().contains("outcome   ") }
    try expectShell(terminal)
    let told = try place.json(try #require(try FileSystem.contents(record)))
    #expect(told["outcome"]?["kind"]?.string == "dismissed" && told["content"]?["files"]?.integer == 1)
    #expect(access("/proc/\(helper)", F_OK) != 0)
    try place.expectNothingLeft()
  }

  @Test(arguments: Person.available)
  func `the program that looks at an extension's pixels can do nothing else`(person: Person) throws {
    let place = try Place(person)
    try place.install()
    let terminal = try CapturedTerminal(place, columns: 80, rows: 24)
    try terminal.type(line: command(place))
    _ = try awaitPicture(terminal, rows: 24)
    let helper = try processes(place).helper
    let status = String(
      decoding: try #require(try FileSystem.contents("/proc/\(helper)/status")),
      as: UTF8.self
    )
    var facts: [Substring: Substring] = [:]
    for line in status.split(separator: "\n") {
      let words = line.split(separator: ":\t", maxSplits: 1)
      if words.count == 2 { facts[words[0]] = words[1] }
    }
    #expect(facts["NoNewPrivs"] == "1" && facts["Seccomp"] == "2" && facts["Threads"] == "1")
    for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
      #expect(facts[Substring(set)] == "0000000000000000", "\(set)")
    }
    try terminal.press("q")
    try terminal.wait { try terminal.text().contains("outcome   ") }
  }

  @Test func `what cannot be shown is refused before anything is launched`() throws {
    let place = try Place(Person.available[0])
    try place.install()
    for (way, code, text) in [
      ("terminal", 64, "neither standard output nor standard error is a terminal"),
      ("terminal:holograph", 64, "write one of blocks, sixel, kitty"),
    ] as [(String, Int32, String)] {
      let result = try place.darkroom(
        "run",
        ["\(Place.app).snapshot", "--camera", "pattern", "--preview", way]
      )
      #expect(result.code == code && result.errors.contains(text), "\(result.errors)")
    }
    #expect(
      try place.json(try place.darkroom("log", ["list", "--json"]).output)["entries"]?.elements?.count ?? 0
        == 0
    )
  }
}
