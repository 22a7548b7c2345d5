// SPDX-License-Identifier: Apache-2.0

import Testing
import ViewfinderLink

@Suite struct LockLayoutTests {
  /// Returns the lines with letters that are half as wide as they are high.
  private static func lines(_ face: LockScreenContent, width: Int = 320, height: Int = 240) -> [LockLayout
    .Line]
  {
    LockLayout(width: width, height: height) { $0.unicodeScalars.count * $1 / 2 }.lines(face, clock: "23:59")
  }

  private static func face(
    _ phase: LockScreenContent.Phase = .idle,
    _ mode: LockScreenContent.Mode = .camera,
    app: String = "",
    question: String = "",
    notice: String = "",
    typed: String = ""
  ) -> LockScreenContent {
    let words = LockScreenText(app: app, question: question, notice: notice, typed: typed)
    return LockScreenContent(phase: phase, mode: mode, words: words)
  }

  @Test func `shows the question, its purpose and the error`() {
    func texts(_ face: LockScreenContent) -> [String] { Self.lines(face).map(\.text) }
    #expect(texts(Self.face()) == ["23:59", "Locked: type to unlock"])
    #expect(texts(Self.face(question: "Password:")) == ["23:59", "Password:"])
    #expect(texts(Self.face(.checking)) == ["23:59", "Checking…"])
    #expect(
      texts(Self.face(.wrong, notice: "That was not right.")) == [
        "23:59", "Locked: type to unlock", "That was not right.",
      ]
    )
    #expect(
      texts(Self.face(.idle, .asking, app: "Odd", question: "Name:", typed: "jo")) == [
        "23:59", "Authenticate to open the app", "“Odd”", "Name:", "jo",
      ]
    )
  }

  @Test(arguments: [(320, 240), (1920, 1080), (1080, 1920), (7680, 4320), (64, 64), (1, 1)])
  func `lines do not overlap each other, the dots or the button`(size: (Int, Int)) {
    let (width, height) = size
    let long = String(repeating: "abcd efghij ", count: 20)
    let face = Self.face(.wrong, .asking, app: long, question: long, notice: long)
    let lines = Self.lines(face, width: width, height: height)
    #expect(lines.count == 7)
    let row = LockLayout.dotRow(height: height)
    guard width >= 320 else { return }
    for (upper, lower) in zip(lines, lines.dropFirst()) {
      #expect(upper.baseline < lower.baseline - lower.size * 3 / 4, "\(upper) \(lower)")
    }
    let radius = min(width, height) / 60
    for line in lines {
      #expect(line.text.unicodeScalars.count * line.size / 2 <= width)
      // A quarter of the font size is below the baseline.
      let isBeside = line.baseline + line.size / 4 < row - radius || line.baseline - line.size > row + radius
      #expect(isBeside, "\(line)")
      #expect(line.baseline + line.size / 4 < height * 4 / 5 - min(width, height) / 10)
    }
  }

  @Test func `truncates typed text at the start and all other text at the end`() throws {
    let typed = try #require(Self.lines(Self.face(typed: String(repeating: "a", count: 100) + "z")).last)
    #expect(typed.text.hasPrefix("…") && typed.text.hasSuffix("z") && typed.tone == .typed)
    let notice = Self.lines(Self.face(.wrong, notice: String(repeating: "a", count: 159) + "z"))
    #expect(notice.last?.text.hasSuffix("a…") == true)
  }

  @Test func `shows the name of an app in a separate tone`() {
    let lines = Self.lines(Self.face(.idle, .asking, app: "Passcode was right", question: "Passcode:"))
    #expect(lines.map(\.tone) == [.clock, .own, .app, .question])
    #expect(lines[2].text == "“Passcode was right”")
  }
}
