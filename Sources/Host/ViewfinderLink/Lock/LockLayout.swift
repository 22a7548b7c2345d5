// SPDX-License-Identifier: Apache-2.0

/// The layout of the texts on a lock screen. All lines are centered horizontally. Lengths are in pixels.
package struct LockLayout {
  /// The width of the screen.
  private let width: Int
  /// The height of the screen.
  private let height: Int
  /// Returns the width of a text in a font size.
  private let measure: (String, Int) -> Int

  /// A line of text.
  package struct Line: Hashable, Sendable {
    /// The text of the line.
    package var text: String
    /// The font size.
    package var size: Int
    /// The row of the baseline.
    package var baseline: Int
    /// The origin of the text.
    package var tone: Tone
  }

  /// The origin of a text, which determines its color.
  package enum Tone: Sendable {
    /// The clock.
    case clock
    /// Darkroom's lock screen.
    case own
    /// The prompt: a PAM module, or the lock's passcode.
    case question
    /// An app, about itself.
    case app
    /// An error or notice.
    case notice
    /// The user's typed answer.
    case typed
  }

  /// Creates a layout for a screen size. `measure` returns the width of a text in a font size.
  package init(width: Int, height: Int, measure: @escaping (String, Int) -> Int) {
    (self.width, self.height, self.measure) = (width, height, measure)
  }

  /// The font size of all lines except the clock.
  private var size: Int { max(9, min(width, height) / 24) }
  /// The distance between the baselines of adjacent lines.
  private var lineHeight: Int { size * 13 / 10 }
  /// Returns the row of the dots that represent typed characters.
  package static func dotRow(height: Int) -> Int { height * 2 / 5 }
  /// The maximum width of a line.
  private var availableWidth: Int { width * 9 / 10 }

  /// Returns the lines of a lock screen at a time of day.
  package func lines(_ content: LockScreenContent, clock: String) -> [Line] {
    let row = Self.dotRow(height: height)
    let unit = min(width, height)
    var lines = [Line(text: clock, size: unit / 8, baseline: height * 15 / 100, tone: .clock)]
    let above = promptLines(content)
    for (index, line) in above.enumerated() {
      let baseline = row - unit / 20 - (above.count - 1 - index) * lineHeight
      lines.append(Line(text: line.text, size: size, baseline: baseline, tone: line.tone))
    }
    if !content.words.typed.isEmpty {
      let end = truncatedAtStart(content.words.typed)
      lines.append(Line(text: end, size: size, baseline: row + size * 35 / 100, tone: .typed))
    }
    for (index, text) in wrapped(content.words.notice, maximum: 2).enumerated() {
      let baseline = row + unit / 20 + size + index * lineHeight
      lines.append(Line(text: text, size: size, baseline: baseline, tone: .notice))
    }
    return lines.filter { !$0.text.isEmpty }
  }

  /// Returns the lines above the dots: the purpose and the question.
  private func promptLines(_ content: LockScreenContent) -> [(text: String, tone: Tone)] {
    var lines: [(text: String, tone: Tone)] = []
    if content.mode == .asking {
      lines.append(("Authenticate to open the app", .own))
      // In quotation marks that the name cannot contain, and in its own color.
      if !content.words.app.isEmpty { lines.append((truncated("“\(content.words.app)”"), .app)) }
    }
    switch content.phase {
    case .checking: lines.append(("Checking…", .own))
    case .idle, .wrong:
      if content.words.question.isEmpty {
        if content.mode != .asking { lines.append(("Locked: type to unlock", .own)) }
      } else {
        lines += wrapped(content.words.question, maximum: 2).map { ($0, .question) }
      }
    }
    return lines
  }

  /// Returns a text as lines that fit the screen, broken between words if possible. The last line is
  /// truncated.
  private func wrapped(_ text: String, maximum: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let longer = line.isEmpty ? String(word) : "\(line) \(word)"
      if line.isEmpty || lines.count == maximum - 1 || measure(longer, size) <= availableWidth {
        line = longer
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    return (lines + [line]).map(truncated)
  }

  /// Returns the text, or a prefix that fits the screen.
  private func truncated(_ text: String) -> String {
    guard measure(text, size) > availableWidth else { return text }
    var short = text
    while !short.isEmpty, measure("\(short)…", size) > availableWidth { short.removeLast() }
    return "\(short)…"
  }

  /// Returns the text, or a suffix that fits the screen.
  private func truncatedAtStart(_ text: String) -> String {
    guard measure(text, size) > availableWidth else { return text }
    var short = text[...]
    while !short.isEmpty, measure("…\(short)", size) > availableWidth { short.removeFirst() }
    return "…\(short)"
  }
}
