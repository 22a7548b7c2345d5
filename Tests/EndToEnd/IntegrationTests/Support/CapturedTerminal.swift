// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// A terminal that can be looked at: a window of a tmux of a test's own, which ends with its owner.
final class CapturedTerminal {
  private let place: Place
  private var tmux: [String] {
    [
      "/usr/bin/env", "TMUX_TMPDIR=\(place.directory)", "DARKROOM_ROOT=\(place.root)", "/usr/bin/tmux", "-u",
      "-L", "viewer",
    ]
  }

  /// Opens one of such a size, in which a shell has said "before".
  init(_ place: Place, columns: Int, rows: Int) throws {
    self.place = place
    try run([
      "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
      "echo before; exec env PS1='%% ' COLORTERM=truecolor /bin/sh",
    ])
    try wait { try self.text().contains("before") }
  }

  deinit { _ = try? run(["kill-server"]) }

  @discardableResult
  private func run(_ words: [String]) throws -> String {
    let result = try place.start(tmux + words).end()
    try #require(result.code == 0, "tmux \(words): \(result.errors)")
    return result.text
  }

  /// Types a line.
  func type(line: String) throws { try run(["send-keys", "-l", line + "\n"]) }

  /// Presses a key.
  func press(_ key: String) throws { try run(["send-keys", key]) }

  /// Makes it larger or smaller.
  func resize(columns: Int, rows: Int) throws {
    try run(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// What it shows, as text.
  func text() throws -> String { try run(["capture-pane", "-p"]) }

  /// A fact that tmux knows of it.
  func fact(_ name: String) throws -> String {
    try run(["display-message", "-p", "#{\(name)}"]).filter { !$0.isNewline }
  }

  /// Waits until something is so.
  func wait(
    until isSo: () throws -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    guard try !TestPatience.comes(everyMilliseconds: 50, isSo) else { return }
    Issue.record("it never came to be:\n\(try text())", sourceLocation: sourceLocation)
  }

  /// A character, as a person sees it: one colour, red, green and blue; nil: that of the terminal.
  typealias Cell = [Int]?

  /// The colours that it shows, line by line.
  func cells() throws -> [[Cell]] {
    try run(["capture-pane", "-e", "-N", "-p"]).split(separator: "\n", omittingEmptySubsequences: false).map {
      Self.cells(String($0))
    }
  }

  private static func cells(_ line: String) -> [Cell] {
    var cells: [Cell] = []
    var pen = Pen()
    var rest = Substring(line)
    while let character = rest.popFirst() {
      guard character == "\u{1B}", rest.first == "[", let end = rest.firstIndex(of: "m") else {
        switch character {
        case " ": cells.append(pen.isInverse ? pen.front : pen.back)
        case "█": cells.append(pen.isInverse ? pen.back : pen.front)
        // Two halves, or quarters: the middle of both.
        default: cells.append(mixed(pen.front, pen.back))
        }
        continue
      }
      let numbers = rest[rest.index(after: rest.startIndex)..<end].split(separator: ";").compactMap {
        Int($0)
      }
      rest = rest[rest.index(after: end)...]
      pen.take(numbers)
    }
    return cells
  }

  private static func mixed(_ front: Cell, _ back: Cell) -> Cell {
    guard let front, let back else { return front ?? back }
    return zip(front, back).map { ($0 + $1) / 2 }
  }

  /// The colours that characters have from now on.
  private struct Pen {
    var front: Cell = nil
    var back: Cell = nil
    var isInverse = false

    /// Takes notice of a change (SGR).
    mutating func take(_ numbers: [Int]) {
      if numbers.isEmpty { self = Pen() }
      var index = 0
      while index < numbers.count {
        let isColour = index + 4 < numbers.count && numbers[index + 1] == 2
        switch numbers[index] {
        case 38 where isColour: front = Array(numbers[index + 2...index + 4])
        case 48 where isColour: back = Array(numbers[index + 2...index + 4])
        case 0: self = Pen()
        case 7: isInverse = true
        case 27: isInverse = false
        case 39: front = nil
        case 49: back = nil
        default: break
        }
        index += isColour ? 5 : 1
      }
    }
  }
}
