// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the texts on the lock screen.
@Suite(
  .timeLimit(.minutes(20)),
  .enabled(if: Compositor.canLock && TestPrograms.has("sway", "swaymsg", "grim", "wtype", "convert")),
  .waiting
)
struct LockScreenTextTests {
  /// The rows of the clock, the prompt, the typed text and the error message.
  private static let (clock, question, typed, notice) = (8..<37, 72..<88, 91..<102, 108..<123)
  /// The rows of the line above the last line of the prompt.
  private static let above = 62..<75

  /// The time limit of an attempt in seconds.
  private static let timeLimit = "600"

  private static func locked(
    app: [String: String] = [:],
    _ prepare: (TestHome) throws -> Void = { _ in }
  ) throws -> LockedScreen {
    let compositor = try Compositor(
      width: LockedScreen.width,
      height: LockedScreen.height,
      supportsLocking: true
    )
    return try LockedScreen(TestUser.available[0], compositor, app: app) { home in
      // A long time limit, because other tests slow the machine down.
      let arguments = ["configure", "--time-limit", timeLimit]
      #expect(try home.darkroom("lock", arguments).code == 0)
      try prepare(home)
    }
  }

  /// Returns the width in columns of the text in some rows.
  private static func width(_ locked: LockedScreen, _ rows: Range<Int>) throws -> Int {
    let screen = try locked.compositor.screen()
    let columns = (0..<screen.width).filter { column in
      rows.contains { row in
        zip(screen.colour(column, row), LockedScreen.background).contains { abs($0 - $1) > 40 }
      }
    }
    return (columns.last ?? 0) - (columns.first ?? 0)
  }

  /// Returns whether some rows contain a color (red, green, blue) that matches a condition.
  private static func containsColor(
    _ locked: LockedScreen,
    _ rows: Range<Int>,
    _ matches: (Int, Int, Int) -> Bool
  ) throws -> Bool {
    let screen = try locked.compositor.screen()
    return rows.contains { row in
      (0..<screen.width).contains { column in
        let colour = screen.colour(column, row)
        return matches(colour[0], colour[1], colour[2])
      }
    }
  }

  /// Returns the width of a text at 100 points, measured by ImageMagick.
  private static func width(of text: String, _ home: TestHome) throws -> Int {
    let arguments = ["/usr/bin/convert", "-font", "DejaVu-Sans", "-pointsize", "100", "label:\(text)"]
    let result = try home.start(arguments + ["-trim", "-format", "%w", "info:"]).end()
    return try #require(Int(result.text), "\(result.errors)")
  }

  /// Waits until some rows contain a text, identified by its width.
  private static func awaitText(
    _ text: String,
    _ locked: LockedScreen,
    _ rows: Range<Int>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let wanted = try width(of: text, locked.home) / 10
    try locked.command.wait(
      until: { abs(try width(locked, rows) - wanted) <= max(3, wanted / 20) },
      sourceLocation: sourceLocation
    )
  }

  private static func isRed(_ red: Int, _ green: Int, _ blue: Int) -> Bool {
    red > 150 && green < 100 && blue < 100
  }

  @Test func `shows the prompt, a wrong answer and the time to wait`() throws {
    let locked = try Self.locked()
    try locked.awaitLockScreen()
    try Self.awaitText("Locked: type to unlock", locked, Self.question)
    #expect(try Self.width(locked, Self.clock) > 60)
    #expect(try Self.width(locked, Self.notice) == 0)
    try locked.type("00") { try Self.width(locked, Self.typed) > 10 }
    try Self.awaitText("Passcode:", locked, Self.question)
    try locked.type("-k", "Return") { try Self.containsColor(locked, Self.notice, Self.isRed) }
    try Self.awaitText("The answer was wrong.", locked, Self.notice)
    try Self.awaitText("Locked: type to unlock", locked, Self.question)
    // The message disappears when the next answer begins.
    try locked.type("1") { try Self.width(locked, Self.notice) == 0 }
    try locked.type("-k", "Escape", "0", "-k", "Return") {
      try Self.containsColor(locked, Self.notice, Self.isRed)
    }
    let answers = try locked.home.write("wrong", "0000\n")
    for _ in 0..<5 {
      _ = try locked.home.darkroom("passcode", ["check", "--passcode-fd", "0"], input: answers)
    }
    // Failed attempts of other processes are noticed when an answer begins here, which is then refused.
    try locked.type("1") { try Self.width(locked, Self.notice) > 200 }
    #expect(try locked.state() == "locked" && !locked.hasEnded())
  }

  @Test func `shows each PAM prompt, and echoes answers only if PAM allows it`() throws {
    let locked = try Self.locked { home in
      try FileSystem.makeDirectory(home.file("services"))
      try home.giveOwnership(home.file("services"))
      let name = try home.start(["/usr/bin/id", "-un"]).end().text.split(separator: "\n")[0]
      let passwords = try home.write("passwords", "\(name):right:darkroom\n")
      let module = "/usr/lib/x86_64-linux-gnu/pam_wrapper/pam_matrix.so passdb=\(passwords)"
      try home.write(
        "services/darkroom",
        "auth required \(module)\nauth optional pam_ftp.so users=\(name)\nauth required \(module) echo\n"
          + "account required \(module)\n"
      )
      let arguments = ["configure", "--authenticator", "pam", "--pam-directory", home.file("services")]
      #expect(try home.darkroom("lock", arguments + ["--time-limit", Self.timeLimit]).code == 0)
    }
    try locked.awaitLockScreen()
    try locked.type("lllll") { try Self.width(locked, Self.typed) > 40 }
    try Self.awaitText("Password:", locked, Self.question)
    // The prompt "Guest login ok, send your complete e-mail address as password." takes two lines.
    try locked.type("-k", "Escape", "right", "-k", "Return") { try Self.width(locked, Self.above) > 150 }
    try locked.type("x", "-k", "Return") { try Self.width(locked, Self.above) == 0 }
    try Self.awaitText("Password:", locked, Self.question)
    // The letters are echoed; dots would be wider.
    try locked.type("lllll") {
      let width = try Self.width(locked, Self.typed)
      return width > 5 && width < 30
    }
    try locked.type("-k", "Escape", "right", "-k", "Return") { locked.hasEnded() }
    #expect(try locked.state() == "unlocked")
  }

  @Test func `shows the sanitized name of the app that requests to open`() throws {
    let reason = #""usageDescriptions": {"camera": "To see."}"#
    let name = #"Odd\u202E” Passcode:"#
    let locked = try Self.locked(app: [
      "App/app.json": #"{"id": "\#(TestHome.app)", "name": "\#(name)", "open": ["/bin/true"],"#
        + #""controls": [{"id": "\#(TestHome.app).shutter", "title": "Shoot", "extension": "\#(TestHome.app).capture"}],"#
        + "\(reason)}",
      "App/Extensions/Capture/extension.json": #"{"id": "\#(TestHome.app).capture", "name": "Capture","#
        + #""executable": "capture.sh", "protocol": "1", \#(reason)}"#,
      "App/Extensions/Capture/capture.sh": "#!/bin/sh\n",
    ])
    try locked.awaitLockScreen()
    try locked.pressCameraButton {
      try locked.compositor.screen().colour(LockedScreen.width / 2, 192) == LockedScreen.background
    }
    try Self.awaitText("Passcode:", locked, Self.question)
    try Self.awaitText("“Odd' Passcode:”", locked, Self.above)
    // The name of the app has a color that the lock screen uses for nothing else.
    let isApps: (Int, Int, Int) -> Bool = { red, green, blue in red > 150 && red - blue > 100 }
    #expect(try Self.containsColor(locked, Self.above, isApps))
    #expect(try !Self.containsColor(locked, Self.question, isApps))
    try locked.type("0000", "-k", "Return") { try Self.containsColor(locked, Self.notice, Self.isRed) }
    #expect(try locked.state() == "locked" && !locked.hasEnded())
  }

  @Test(.enabled(if: TestPrograms.has("bwrap")))
  func `shows dots and colors if no font is installed`() throws {
    let locked = try Self.locked { home in
      let directories = try ["/usr/share/fonts", "/usr/local/share/fonts", "/var/cache/fontconfig"]
        .filter { try FileSystem.status($0) != nil }
      home.confinementPrefix =
        ["/usr/bin/bwrap", "--dev-bind", "/", "/"] + directories.flatMap { ["--tmpfs", $0] }
    }
    try locked.awaitLockScreen()
    try locked.type("00") { try Self.width(locked, Self.typed) > 10 }
    #expect(try Self.width(locked, Self.question) == 0 && Self.width(locked, Self.clock) == 0)
    try locked.type("-k", "Return") {
      try locked.compositor.screen().colour(LockedScreen.width / 2, LockedScreen.height * 2 / 5)
        == LockedScreen.wrongDots
    }
    try locked.type("1234", "-k", "Return") { locked.hasEnded() }
    #expect(try locked.state() == "unlocked")
  }

  @Test func `the drawing process sleeps except for clock updates`() throws {
    let locked = try Self.locked()
    try locked.awaitLockScreen()
    /// Returns the number of voluntary context switches.
    func waits() throws -> Int {
      let bytes = try #require(try FileSystem.contents("/proc/\(try locked.drawingProcess())/status"))
      let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        .first { $0.hasPrefix("voluntary_ctxt_switches:") }
      return try #require(line?.split(separator: "\t").last.flatMap { Int($0) })
    }
    // The redraw that the screenshot caused has finished.
    MonotonicClock.sleep(milliseconds: 1000)
    let before = try waits()
    MonotonicClock.sleep(milliseconds: 4000)
    // A new minute can cause one or two waits.
    #expect(try waits() - before <= 3)
  }

  @Test func `locks screens that are plugged in later, repeatedly`() throws {
    let locked = try Self.locked()
    try locked.awaitLockScreen()
    // More screens than the buffer memory holds at once.
    for number in 2..<9 {
      try locked.compositor.message("create_output")
      let name = "HEADLESS-\(number)"
      try locked.command.wait {
        let screen = try locked.compositor.screen(name)
        return screen.colour(3, 3) == LockedScreen.background
          && screen.colour(screen.width / 2, screen.height * 4 / 5) == LockedScreen.ring
          // The clock.
          && (0..<screen.width).contains { screen.colour($0, screen.height * 12 / 100)[0] > 200 }
      }
      try locked.compositor.message("output", name, "unplug")
    }
    try locked.awaitLockScreen()
    try locked.type("1234", "-k", "Return") { locked.hasEnded() }
    #expect(try locked.state() == "unlocked")
  }
}
