// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of screenshots of a running session's viewfinder from another process.
@Suite(.timeLimit(.minutes(20)), .enabled(if: TestPrograms.has("convert")), .waiting)
struct ScreenshotTests {
  /// The Y, U and V values of the test pattern's bars from left to right.
  private static let bars: [(y: Double, u: Double, v: Double)] = [
    (191, 128, 128), (169, 32, 143), (134, 160, 32), (112, 64, 47),
    (79, 192, 209), (57, 96, 224), (22, 224, 113), (0, 128, 128),
  ]

  /// The red, green and blue values of the bars, by the formulas of JFIF.
  static let colours: [[Int]] = bars.map { bar in
    let (u, v): (Double, Double) = (bar.u - 128, bar.v - 128)
    let green: Double = bar.y - 0.344136 * u - 0.714136 * v
    let colour: [Double] = [bar.y + 1.402 * v, green, bar.y + 1.772 * u]
    return colour.map { Int(min(max($0.rounded(), 0), 255)) }
  }

  /// Starts an extension that shows the camera in its viewfinder.
  private func startViewfinder(_ home: TestHome, _ options: [String]) throws -> Command {
    try home.startDarkroom("run", ["--quiet"] + options + ["\(TestHome.app).snapshot"])
  }

  /// Waits for a running session and returns its ID.
  static func session(_ home: TestHome, _ command: Command) throws -> String {
    var id: String?
    try command.wait {
      let sessions = try home.json(try home.darkroom("ps", ["--json"]).output)["sessions"]?.elements
      id = sessions?.first?["session"]?.string
      return id != nil
    }
    return try #require(id)
  }

  /// Waits until a session shows its viewfinder.
  private func awaitViewfinder(_ home: TestHome, _ command: Command, _ session: String) throws {
    try command.wait { access("\(home.root)/sessions/\(session)/viewfinder", F_OK) == 0 }
  }

  /// Returns the RGB bytes of a picture, converted by ImageMagick.
  private func pixels(_ path: String) throws -> [UInt8] {
    try runShell("convert '\(path)' -depth 8 'rgb:\(path).rgb'")
    return try #require(try FileSystem.contents("\(path).rgb"))
  }

  /// Returns the greatest difference of any pixel from the test pattern, outside the number and the moving
  /// box.
  private func greatestDifference(_ pixels: [UInt8], width: Int, height: Int, margin: Int) -> Int {
    var greatest = 0
    for row in height / 32 * 2 + margin..<height
    where !(height / 2 - margin..<height * 5 / 8 + margin).contains(row) {
      for column in 0..<width {
        let home = column * 8
        let bar = home / width
        guard home % width >= margin * 8, home % width < width - margin * 8 else { continue }
        for part in 0..<3 {
          let found = Int(pixels[3 * (row * width + column) + part])
          greatest = max(greatest, abs(found - Self.colours[bar][part]))
        }
      }
    }
    return greatest
  }

  @Test(arguments: TestUser.available)
  func `a screenshot has the viewfinder's pixels, exactly as PNG and closely as JPEG`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    try home.install()
    let command = try startViewfinder(home, ["--camera", "pattern:320x240@30"])
    let session = try Self.session(home, command)
    try awaitViewfinder(home, command, session)
    for (name, format, margin, most) in [("a.png", "png", 1, 2), ("b.JPG", "jpeg", 16, 6)] {
      let path = home.file(name)
      let result = try home.darkroom("screenshot", ["--json", session, "-o", path])
      #expect(result.code == 0, "\(result.errors)")
      let report = try home.json(result.output)
      #expect(report["format"]?.string == format && report["file"]?.string == path)
      #expect(report["width"]?.integer == 320 && report["height"]?.integer == 240)
      #expect(report["session"]?.string == session && (report["sequence"]?.integer ?? 0) > 0)
      // The capture time is that of the camera's frame.
      #expect(
        report["takenAt"]?.string?.hasPrefix(WallClock.text(milliseconds: WallClock.milliseconds).prefix(10))
          == true
      )
      let pixels = try pixels(path)
      try #require(pixels.count == 320 * 240 * 3)
      #expect(greatestDifference(pixels, width: 320, height: 240, margin: margin) <= most, "\(name)")
      let mode = try #require(try FileSystem.status(path)).permissions
      #expect(mode & 0o077 == 0)
    }
    // A prefix of the ID and the default file name.
    let result = try home.darkroom("screenshot", [String(session.prefix(6))])
    #expect(result.code == 0 && result.text.contains("viewfinder-\(session.prefix(8)).png  320x240, frame "))
    command.signal(SIGTERM)
    _ = try command.end()
    try home.expectNothingLeft()
  }

  @Test(arguments: TestUser.available)
  func `reports why a screenshot is unavailable`(user: TestUser) throws {
    let home = try TestHome(user)
    try home.install()
    // The extension has a camera but draws nothing.
    let command = try home.startDarkroom(
      "run",
      ["--quiet", "--camera", "pattern", "--watchdog", "0s", "\(TestHome.app).framelogger"]
    )
    let session = try Self.session(home, command)
    let picture = home.file("never.png")
    func refused(_ arguments: [String], _ code: Int32, _ text: String) throws {
      let result = try home.darkroom("screenshot", arguments)
      #expect(result.code == code && result.errors.contains(text), "\(result.code) \(result.errors)")
    }
    try refused([session, "-o", picture], 69, "has not shown a viewfinder yet")
    try refused(
      [session, "-o", home.file("never.gif")],
      64,
      "give a name that ends with .png, .jpg or .jpeg"
    )
    try refused(["zzzz"], 66, "'darkroom ps' lists the running sessions")
    try refused([session.prefix(9) + "0000-4000-8000-000000000000"], 66, "there is no session")
    command.signal(SIGTERM)
    _ = try command.end()
    try refused([session, "-o", picture], 66, " ended at ")
    #expect(access(picture, F_OK) != 0)
  }

  @Test(.enabled(if: TestUser.hasRoot))
  func `refuses screenshots by other users, including root`() throws {
    let home = try TestHome(.regular)
    try home.install()
    let command = try startViewfinder(home, ["--camera", "pattern:320x240@30"])
    let session = try Self.session(home, command)
    try awaitViewfinder(home, command, session)
    let arguments = ["screenshot", "--root", home.root, session, "-o", home.file("root.png")]
    let program = "'\(home.programs.darkroom)' \(arguments.map { "'\($0)'" }.joined(separator: " "))"
    try runShell("\(program) 2>'\(home.file("said"))' || test $? = 69")
    let printedText = String(
      decoding: try #require(try FileSystem.contents(home.file("said"))),
      as: UTF8.self
    )
    #expect(printedText.contains("belongs to UID \(TestUser.regularUserID)"))
    // A program that connects directly gets nothing, either.
    #expect(try received(from: session, of: home, asRoot: false) == "several bytes, 1 descriptor")
    #expect(try received(from: session, of: home, asRoot: true) == "0 bytes, 0 descriptors")
    command.signal(SIGTERM)
    _ = try command.end()
  }

  /// Returns what the viewfinder's socket sends to a client that runs as root or as the session's user.
  private func received(from session: String, of home: TestHome, asRoot: Bool) throws -> String {
    let visitor = try home.write(
      "visit.py",
      """
      import array, os, socket, sys
      os.chdir(sys.argv[1])
      visitor = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
      visitor.settimeout(60)
      visitor.connect("viewfinder")
      text, ancillary, _, _ = visitor.recvmsg(4096, socket.CMSG_SPACE(64))
      print("several bytes, 1 descriptor" if text and len(ancillary) == 1
            else f"{len(text)} bytes, {len(ancillary)} descriptors")
      """
    )
    let user = asRoot ? [] : TestUser.regular.commandPrefix
    let arguments = user + ["/usr/bin/python3", visitor, "\(home.root)/sessions/\(session)"]
    let report = home.file("told")
    try runShell("\(arguments.map { "'\($0)'" }.joined(separator: " ")) >'\(report)'")
    let text = String(decoding: try #require(try FileSystem.contents(report)), as: UTF8.self)
    return String(text.dropLast())
  }

  @Test func `removes the viewfinder socket of a killed host`() throws {
    let home = try TestHome(TestUser.available[0])
    try home.install()
    let command = try startViewfinder(home, ["--camera", "pattern:320x240@30"])
    let session = try Self.session(home, command)
    try awaitViewfinder(home, command, session)
    command.signal(SIGKILL)
    _ = try command.end()
    let result = try home.darkroom("screenshot", [session])
    #expect(result.code == 66 && result.errors.contains("has ended"), "\(result.errors)")
    #expect(try home.darkroom("recover", []).code == 0)
    #expect(try home.darkroom("prune", []).code == 0)
    try home.expectNothingLeft()
  }
}
