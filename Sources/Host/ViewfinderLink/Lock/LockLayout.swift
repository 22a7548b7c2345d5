// SPDX-License-Identifier: Apache-2.0

/// Where on a lock screen which words stand. All lines are in the middle of their rows; lengths are in pixels.
package struct LockLayout {
  /// Columns of the screen.
  private let width: Int
  /// Rows of the screen.
  private let height: Int
  /// How many columns a text takes that is so many rows high.
  private let measure: (String, Int) -> Int

  /// One line.
  package struct Line: Hashable, Sendable {
    /// What it says.
    package var text: String
    /// How high its letters are.
    package var size: Int
    /// The row on which they stand.
    package var baseline: Int
    /// Who says it.
    package var tone: Tone
  }

  /// Who says a line, which its colour shows.
  package enum Tone: Sendable {
    /// The clock.
    case clock
    /// The lock itself.
    case own
    /// Whoever asks: PAM, or the lock for its passcode.
    case question
    /// An app, of itself.
    case app
    /// What has gone wrong.
    case notice
    /// The person.
    case typed
  }

  /// A screen of a size.
  package init(width: Int, height: Int, measure: @escaping (String, Int) -> Int) {
    (self.width, self.height, self.measure) = (width, height, measure)
  }

  /// How high the letters of all are but those of the clock.
  private var size: Int { max(9, min(width, height) / 24) }
  /// From one line to the next.
  private var step: Int { size * 13 / 10 }
  /// The row in which the dots of what was typed are.
  package static func dotRow(height: Int) -> Int { height * 2 / 5 }
  /// Columns for a line.
  private var room: Int { width * 9 / 10 }

  /// What a face says at a time of day.
  package func lines(_ face: LockFace, clock: String) -> [Line] {
    let row = Self.dotRow(height: height)
    let unit = min(width, height)
    var lines = [Line(text: clock, size: unit / 8, baseline: height * 15 / 100, tone: .clock)]
    let above = asked(face)
    for (index, line) in above.enumerated() {
      let baseline = row - unit / 20 - (above.count - 1 - index) * step
      lines.append(Line(text: line.text, size: size, baseline: baseline, tone: line.tone))
    }
    if !face.words.typed.isEmpty {
      let end = cutAtFront(face.words.typed)
      lines.append(Line(text: end, size: size, baseline: row + size * 35 / 100, tone: .typed))
    }
    for (index, text) in wrapped(face.words.notice, most: 2).enumerated() {
      let baseline = row + unit / 20 + size + index * step
      lines.append(Line(text: text, size: size, baseline: baseline, tone: .notice))
    }
    return lines.filter { !$0.text.isEmpty }
  }

  /// What stands above the dots: what for, and what is asked.
  private func asked(_ face: LockFace) -> [(text: String, tone: Tone)] {
    var lines: [(text: String, tone: Tone)] = []
    if face.situation == .asking {
      lines.append(("Show who you are, to open the app", .own))
      // In quotation marks that it cannot have itself, and in a colour of its own.
      if !face.words.app.isEmpty { lines.append((cut("“\(face.words.app)”"), .app)) }
    }
    switch face.mood {
    case .checking: lines.append(("One moment…", .own))
    case .idle, .wrong:
      if face.words.question.isEmpty {
        if face.situation != .asking { lines.append(("Locked: type to unlock", .own)) }
      } else {
        lines += wrapped(face.words.question, most: 2).map { ($0, .question) }
      }
    }
    return lines
  }

  /// A text in lines that have room, broken between words where it can be; the last is cut.
  private func wrapped(_ text: String, most: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let longer = line.isEmpty ? String(word) : "\(line) \(word)"
      if line.isEmpty || lines.count == most - 1 || measure(longer, size) <= room {
        line = longer
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    return (lines + [line]).map(cut)
  }

  /// As much of the beginning of a text as there is room for.
  private func cut(_ text: String) -> String {
    guard measure(text, size) > room else { return text }
    var short = text
    while !short.isEmpty, measure("\(short)…", size) > room { short.removeLast() }
    return "\(short)…"
  }

  /// As much of the end of a text as there is room for.
  private func cutAtFront(_ text: String) -> String {
    guard measure(text, size) > room else { return text }
    var short = text[...]
    while !short.isEmpty, measure("…\(short)", size) > room { short.removeFirst() }
    return "…\(short)"
  }
}
