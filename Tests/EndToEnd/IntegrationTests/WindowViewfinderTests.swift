// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the viewfinder in a window of a Wayland compositor.
@Suite(.timeLimit(.minutes(20)), .enabled(if: TestPrograms.has("sway", "swaymsg", "grim", "wtype")), .waiting)
struct WindowViewfinderTests {
  /// A session with a viewfinder in a window.
  private struct WindowSession {
    let home: TestHome
    let command: Command
    let record: String
    /// The path of the command's standard error.
    let errorsPath: String

    /// Starts a session that shows the test pattern.
    init(_ user: TestUser, _ compositor: Compositor, install: Bool = true) throws {
      home = try TestHome(user)
      try home.install()
      home.variables += compositor.variables
      record = home.file("record.json")
      errorsPath = home.file("\(home.nextOutputName).err")
      command = try home.startDarkroom(
        "run",
        [
          "--quiet", "--camera", "pattern:320x240@30", "--preview", "window", "--record", record,
          "\(TestHome.app).snapshot",
        ]
      )
    }

    /// Returns the PIDs of the host, of the window program, and of all other processes of the session.
    func processes() throws -> (host: Int32, helper: Int32, others: [Int32]) {
      let sessions = try home.json(try home.darkroom("ps", ["--json"]).output)["sessions"]?.elements
      let host = Int32(try #require(sessions?.first?["hostProcess"]?.integer))
      let children = ProcessFacts(host)?.children(of: host) ?? []
      let program = "\(FileSystem.directoryName(home.programs.darkroom))/darkroom-window"
      let helpers = children.filter { (try? FileSystem.linkTarget("/proc/\($0)/exe")) == program }
      let helper = try #require(helpers.first)
      return (host, helper, try home.processes().filter { $0 != host && $0 != helper })
    }

    /// Returns the standard error of the command so far.
    func errorOutput() throws -> String {
      String(decoding: try FileSystem.contents(errorsPath) ?? [], as: UTF8.self)
    }
  }

  /// Waits until the screen shows the test pattern in a rectangle with black margins.
  private func awaitPicture(
    _ compositor: Compositor,
    _ command: Command,
    columns: Range<Int>,
    rows: Range<Int>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    func isThere() throws -> Bool {
      let screen = try compositor.screen()
      guard screen.width >= columns.upperBound, screen.height >= rows.upperBound else { return false }
      // A row above the moving box in the middle and below the number.
      let row = rows.lowerBound + rows.count / 4
      let isShown = (0..<8).allSatisfy { bar in
        let column = columns.lowerBound + (2 * bar + 1) * columns.count / 16
        let difference = zip(screen.colour(column, row), ScreenshotTests.colours[bar]).map { abs($0 - $1) }
        return difference.allSatisfy { $0 <= 6 }
      }
      let isBlack = [columns.lowerBound - 2, columns.upperBound + 1].allSatisfy { column in
        !(0..<screen.width).contains(column) || screen.colour(column, row) == [0, 0, 0]
      }
      return isShown && isBlack
    }
    try command.wait(until: isThere, sourceLocation: sourceLocation)
  }

  /// Waits for a title that meets a condition.
  private func awaitTitle(
    _ compositor: Compositor,
    _ command: Command,
    _ isRight: (String) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try command.wait(
      until: { try compositor.title().map(isRight) == true },
      sourceLocation: sourceLocation
    )
  }

  /// Returns the number before a word in a text.
  private func number(_ text: String, before word: String) -> Int? {
    let fields = text.split(separator: " ")
    return fields.firstIndex { $0 == word }.flatMap { $0 > 0 ? Int(fields[$0 - 1]) : nil }
  }

  /// Checks that a process is confined and has no capabilities.
  private func expectConfined(_ process: Int32, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let bytes = try #require(try FileSystem.contents("/proc/\(process)/status"))
    var facts: [Substring: Substring] = [:]
    let status = String(decoding: bytes, as: UTF8.self)
    for line in status.split(separator: "\n") {
      let fields = line.split(separator: ":\t", maxSplits: 1)
      if fields.count == 2 { facts[fields[0]] = fields[1] }
    }
    let isConfined = facts["NoNewPrivs"] == "1" && facts["Seccomp"] == "2" && facts["Threads"] == "1"
    #expect(isConfined, sourceLocation: sourceLocation)
    for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
      #expect(facts[Substring(set)] == "0000000000000000", "\(set)", sourceLocation: sourceLocation)
    }
  }

  /// Returns the sockets of a process.
  private func sockets(_ process: Int32) throws -> Set<String> {
    let names = (try? FileSystem.names(in: "/proc/\(process)/fd")) ?? []
    return Set(names.compactMap { try? FileSystem.linkTarget("/proc/\(process)/fd/\($0)") })
      .filter { $0.hasPrefix("socket:") }
  }

  @Test func `a window shows the right colors at any size, and closing it dismisses the session`() throws {
    let compositor = try Compositor(width: 640, height: 480)
    for user in TestUser.available {
      let shown = try WindowSession(user, compositor)
      let command = shown.command
      try awaitPicture(compositor, command, columns: 0..<640, rows: 0..<480)
      try awaitTitle(compositor, command) { title in
        // The title of the first frame has no frame rate yet.
        title.hasPrefix("Darkroom: running  ") && !title.contains("  0.0 frames/s")
          && (number(title, before: "shown") ?? 0) > 1
      }
      let processes = try shown.processes()
      try expectConfined(processes.helper)
      // The extension inherits neither the connection to the compositor nor another socket of the window
      // program.
      let own = try sockets(processes.helper)
      #expect(own.count == 2 && !processes.others.isEmpty)
      for other in processes.others { #expect(try sockets(other).isDisjoint(with: own)) }
      try compositor.message("output", "HEADLESS-1", "resolution", "800x300")
      try awaitPicture(compositor, command, columns: 200..<600, rows: 0..<300)
      // Nothing is drawn while the window is hidden, and nothing blocks.
      try compositor.message("workspace", "2")
      try command.wait { (try #require(try compositor.title())).contains("  0.0 frames/s") }
      try compositor.message("workspace", "1")
      try awaitTitle(compositor, command) { (number($0, before: "dropped") ?? 0) > 30 }
      try awaitPicture(compositor, command, columns: 200..<600, rows: 0..<300)
      try compositor.message("output", "HEADLESS-1", "resolution", "640x480")
      try compositor.message("[app_id=darkroom]", "kill")
      let result = try command.end()
      #expect(result.code == 0, "\(result.errors)")
      #expect(try compositor.title() == nil)
      let record = try shown.home.json(try #require(try FileSystem.contents(shown.record)))
      #expect(record["outcome"]?["by"]?.string == "user", "\(record["outcome"] ?? .null)")
      let last = result.errors.split(separator: "\n").first { $0.hasPrefix("viewfinder  ") } ?? ""
      #expect((number(String(last), before: "frames") ?? 0) > 0, "\(last)")
      #expect(last.contains("; the user dismissed the session"), "\(last)")
      #expect(!result.errors.contains("no longer shown"), "\(result.errors)")
      try shown.home.expectNothingLeft()
    }
  }

  @Test
  func `shows the state below the picture if the compositor draws no title bar`() throws {
    let user = TestUser.available[0]
    let compositor = try Compositor(width: 640, height: 480)
    let shown = try WindowSession(user, compositor)
    try awaitPicture(compositor, shown.command, columns: 0..<640, rows: 0..<480)
    /// Returns the number of bright pixels in some rows.
    func bright(_ rows: Range<Int>) throws -> Int {
      let screen = try compositor.screen()
      return rows.reduce(0) { sum, row in
        sum + (0..<640).count { column in screen.colour(column, row).allSatisfy { $0 > 150 } }
      }
    }
    try compositor.message("[app_id=darkroom]", "border", "csd")
    // The bottom twentieth of the window is black, with a line of text.
    try awaitPicture(compositor, shown.command, columns: 16..<624, rows: 0..<456)
    try shown.command.wait {
      let count = try bright(457..<480)
      return count > 100 && count < 640 * 23 / 3
    }
    try compositor.message("[app_id=darkroom]", "border", "none")
    try awaitPicture(compositor, shown.command, columns: 0..<640, rows: 0..<480)
    try compositor.message("[app_id=darkroom]", "kill")
    #expect(try shown.command.end().code == 0)
    try shown.home.expectNothingLeft()
  }

  @Test(arguments: TestUser.available)
  func `keys in the window press the shutter and dismiss the session`(user: TestUser) throws {
    let compositor = try Compositor(width: 320, height: 240)
    let shown = try WindowSession(user, compositor)
    try awaitPicture(compositor, shown.command, columns: 0..<320, rows: 0..<240)
    let session = try #require(try shown.home.names("sessions").first)
    // The virtual keyboard can disappear before the window has noticed it.
    try shown.command.wait {
      try compositor.type("-s", "200", "-P", "space", "-s", "200", "-p", "space", "-s", "200")
      return try shown.home.names("sessions/\(session)/content").contains { $0.hasSuffix(".jpg") }
    }
    // An unassigned key, and then the key that ends the session.
    try compositor.type("-s", "200", "x", "-s", "200")
    #expect(try shown.home.names("sessions").count == 1)
    _ = try TestTimeout.waitUntil {
      try compositor.type("-s", "200", "d", "-s", "200")
      return try shown.home.names("sessions").isEmpty
    }
    let result = try shown.command.end()
    #expect(result.code == 0, "\(result.errors)")
    let record = try shown.home.json(try #require(try FileSystem.contents(shown.record)))
    #expect(record["outcome"]?["by"]?.string == "user", "\(record["outcome"] ?? .null)")
    #expect((record["content"]?["files"]?.integer ?? 0) >= 1)
    try shown.home.expectNothingLeft()
  }

  @Test func `clicks reach the extension in pixels of the picture while its window is shown`() throws {
    let compositor = try Compositor(width: 640, height: 480)
    let home = try TestHome(TestUser.available[0])
    home.variables += compositor.variables
    try home.install(try FaultyExtension("touched", in: home).bundle)
    let command = try home.startDarkroom(
      "run",
      ["--quiet", "--camera", "pattern:64x32@30", "--preview", "window", FaultyExtension.id]
    )
    try command.wait { try home.names("sessions").count == 1 }
    let session = try #require(try home.names("sessions").first)
    /// Returns the lines that the extension has written. Before the first line, there is no file.
    func touches() throws -> [String] {
      let path = "\(home.root)/sessions/\(session)/content/touches"
      guard try FileSystem.status(path) != nil else { return [] }
      let bytes = try FileSystem.contents(path) ?? []
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
    // The virtual pointer can disappear before the window has noticed it.
    try command.wait {
      try compositor.click(320, 240, width: 640, height: 480)
      return try !touches().isEmpty
    }
    // The picture is ten times as large, with black margins of 80 rows.
    try command.wait { try touches().count.isMultiple(of: 2) }
    #expect(try touches().prefix(2) == ["began 0 32 16", "ended 0 32 16"])
    let first = try touches().count
    try compositor.drag([(20, 120), (630, 390), (630, 410)], width: 640, height: 480)
    try command.wait {
      try touches().dropFirst(first) == ["began 0 2 4", "moved 0 63 31", "cancelled 0 63 31"]
    }
    // Neither the margin nor a hidden window receives contacts.
    try compositor.click(320, 20, width: 640, height: 480)
    try compositor.message("workspace", "2")
    try compositor.click(320, 240, width: 640, height: 480)
    try compositor.message("workspace", "1")
    try compositor.click(20, 120, width: 640, height: 480)
    try command.wait { try touches().count == first + 5 }
    #expect(try touches().dropFirst(first + 3) == ["began 0 2 4", "ended 0 2 4"])
    // The compositor reports the pointer to the window until the button is released.
    let path = (1...20).map { (column: 20 * $0, row: 240) }
    let drag = try compositor.startDrag(path, width: 640, height: 480)
    try command.wait { try touches().last?.hasPrefix("moved") == true }
    try compositor.message("workspace", "2")
    #expect(try drag.end().code == 0)
    try command.wait { try touches().last?.hasPrefix("moved") == false }
    #expect(try touches().last?.hasPrefix("cancelled") == true)
    try compositor.message("[app_id=darkroom]", "kill")
    #expect(try command.end().code == 0)
    try home.expectNothingLeft()
  }

  @Test func `the window closes with its host, and a session continues without the compositor`() throws {
    let user = TestUser.available[0]
    let compositor = try Compositor(width: 320, height: 240)
    let first = try WindowSession(user, compositor)
    try awaitPicture(compositor, first.command, columns: 0..<320, rows: 0..<240)
    let processes = try first.processes()
    kill(processes.host, SIGKILL)
    _ = try first.command.end()
    let second = try WindowSession(user, compositor)
    try second.command.wait { access("/proc/\(processes.helper)", F_OK) != 0 }
    try awaitPicture(compositor, second.command, columns: 0..<320, rows: 0..<240)
    compositor.kill()
    try second.command.wait {
      try second.errorOutput().contains("the compositor closed the connection; the session continues")
    }
    #expect(try second.home.names("sessions").count == 1)
    second.command.signal(SIGTERM)
    let result = try second.command.end()
    // The summary of shown frames is printed nevertheless.
    #expect(result.errors.contains(#/viewfinder  [0-9]+ frames? shown, /#), "\(result.errors)")
    let record = try second.home.json(try #require(try FileSystem.contents(second.record)))
    #expect(record["outcome"]?["by"]?.string == "hostStopped", "\(record["outcome"] ?? .null)")
    try second.home.expectNothingLeft()
    #expect(try first.home.darkroom("recover", []).code == 0)
  }

  @Test(arguments: TestUser.available)
  func `launches nothing without a compositor, and reports why`(user: TestUser) throws {
    let home = try TestHome(user)
    try home.install()
    for (variables, text) in [
      ([], "WAYLAND_DISPLAY is not set"),
      (["WAYLAND_DISPLAY=wayland-7"], "XDG_RUNTIME_DIR is not an absolute path"),
      (["WAYLAND_DISPLAY=wayland-7", "XDG_RUNTIME_DIR=\(home.directory)"], "(connect "),
      (["WAYLAND_DISPLAY=\(home.directory)/none"], "none: No such file or directory (ENOENT))"),
    ] {
      let common = home.variables
      defer { home.variables = common }
      home.variables += variables
      let result = try home.darkroom(
        "run",
        ["--camera", "pattern", "--preview", "window", "\(TestHome.app).snapshot"]
      )
      #expect(result.code == 64 && result.errors.contains(text), "\(result.code) \(result.errors)")
      #expect(result.errors.contains("run the command in a Wayland session, or use --preview terminal"))
    }
    let entries = try home.json(try home.darkroom("logs", ["list", "--json"]).output)["entries"]
    #expect(entries?.elements?.count ?? 0 == 0)
  }
}
