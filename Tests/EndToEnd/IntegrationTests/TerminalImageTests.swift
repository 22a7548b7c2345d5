// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the output of a viewfinder to various terminals, and of its handling of their answers.
@Suite(
  .timeLimit(.minutes(20)),
  .enabled(if: TestPrograms.has("python3") && TestPrograms.has("convert")),
  .waiting
)
struct TerminalImageTests {
  /// Returns the greatest difference of the bars in a picture, above the moving box.
  private func difference(_ pixels: [UInt8], width: Int, height: Int) -> Int {
    (0..<8).map { bar in
      let start = 3 * (height / 4 * width + (2 * bar + 1) * width / 16)
      return zip(pixels[start..<start + 3], ScreenshotTests.colours[bar]).map { abs(Int($0) - $1) }.max()
        ?? 255
    }.max() ?? 255
  }

  @Test(
    arguments: [
      ("terminal", #"\x1b[?62;4c"#), ("terminal:sixel", ""), ("terminal", #"\x1b_Gi=31;OK\x1b\\\x1b[?62;4c"#),
      ("terminal:kitty", ""),
    ]
  )
  func `sends pixels to a terminal with graphics`(previewMode: String, answer: String) throws {
    let home = try TestHome(TestUser.available[0])
    let terminal = try ScriptedTerminal(home, previewMode, answer: answer, seconds: nil)
    try terminal.expectDismissed()
    let isKitty = previewMode.hasSuffix("kitty") || answer.contains("OK")
    let decoder = try home.write("decode.py", ScriptedTerminal.decoder)
    let kind = isKitty ? "kitty" : "sixel"
    let picture = home.file(isKitty ? "picture.ppm" : "picture.six")
    try runShell(
      """
      python3 '\(decoder)' \(kind) '\(terminal.outputPath)' '\(picture)'
      \(isKitty ? "convert 'ppm:\(picture)' '\(picture).png'" : "sixel2png -i '\(picture)' -o '\(picture).png'")
      convert '\(picture).png' -sample '320x240!' -depth 8 'rgb:\(picture).rgb'
      """
    )
    let pixels = try #require(try FileSystem.contents("\(picture).rgb"))
    try #require(pixels.count == 320 * 240 * 3)
    #expect(difference(pixels, width: 320, height: 240) <= 24)
    // The last step restores the main screen.
    #expect(try terminal.text().contains("\u{1B}[?1049l"))
  }

  @Test func `sends characters to a terminal that does not answer`() throws {
    let home = try TestHome(TestUser.available[0])
    let terminal = try ScriptedTerminal(home, "terminal", answer: "", seconds: nil)
    let seen = try terminal.text()
    #expect(seen.contains("\u{1B}[48;2;") && !seen.contains("\u{1B}Pq") && !seen.contains("\u{1B}_Ga=T"))
  }

  @Test func `a terminal that reads nothing blocks neither the session nor the camera`() throws {
    let home = try TestHome(TestUser.available[0])
    let began = MonotonicClock.now
    let terminal = try ScriptedTerminal(home, "terminal:kitty", answer: "deaf", seconds: 2)
    #expect(MonotonicClock.now - began < 30_000_000_000)
    try terminal.expectDismissed()
    let frames = try terminal.record()["frames"]
    let (produced, dropped) = (frames?["produced"]?.integer, frames?["dropped"]?.integer)
    // The camera and the extension continue.
    #expect((produced ?? 0) > 30 && (dropped ?? .max) < (produced ?? 0) / 2)
  }

  @Test func `late and unsolicited answers of a terminal press no key`() throws {
    let home = try TestHome(TestUser.available[0])
    // The late answer contains all keys, and arrives while keys are read.
    let terminal = try ScriptedTerminal(
      home,
      "terminal",
      answer: #"late:\x1b_Gi=31;q d s \x1b\\\x1b[?62;4c\x1b]11;q d s \x07\x1bPq d s \x1b\\\x1b[d\x1bOs"#,
      seconds: nil
    )
    try terminal.expectDismissed()
    #expect(try terminal.record()["content"]?["files"]?.integer == 0)
    // The picture was shown until the real key.
    let seen = try terminal.text()
    let key = try #require(seen.ranges(of: "KEY").first)
    #expect(seen[..<key.lowerBound].contains("\u{1B}[?2026h"))
    #expect(!seen[..<key.lowerBound].contains("\u{1B}[?1049l"))
  }

  @Test func `stops reading an endless answer of a terminal`() throws {
    let home = try TestHome(TestUser.available[0])
    let terminal = try ScriptedTerminal(home, "terminal", answer: "flood")
    try terminal.expectDismissed()
    #expect(try terminal.text().contains("\u{1B}[48;2;"))
  }

  @Test(arguments: ["terminal:blocks", "terminal:sixel", "terminal:kitty"])
  func `pixels of an extension cannot contain terminal control sequences`(previewMode: String) throws {
    let home = try TestHome(TestUser.available[0])
    // Pixel values that form terminal control sequences.
    let evil = Array("\u{1B}]0;owned\u{07}\u{1B}[2J\u{1B}[c\u{1B}P$q\u{1B}\\\r\n".utf8) + [0x9B, 0x63]
    var bytes = Array("YUV4MPEG2 W64 H48 F30:1 Ip A1:1 C420jpeg\n".utf8)
    for frame in 0..<90 {
      bytes += Array("FRAME\n".utf8) + (0..<64 * 48 * 3 / 2).map { evil[($0 + frame) % evil.count] }
    }
    let film = try home.write("film.y4m", "")
    try FileSystem.replaceContents(film, with: bytes, mode: 0o644)
    let terminal = try ScriptedTerminal(home, previewMode, answer: "", seconds: nil, camera: film)
    try terminal.expectDismissed()
    let outputValidator = try home.write("judge.py", ScriptedTerminal.outputValidator)
    try runShell("python3 '\(outputValidator)' '\(terminal.outputPath)'")
  }
}
