// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// A terminal with readable contents: a window of a private tmux server, which exits with this object.
final class CapturedTerminal {
  private let place: Place
  private var tmux: [String] {
    [
      "/usr/bin/env", "TMUX_TMPDIR=\(place.directory)", "DARKROOM_ROOT=\(place.root)", "/usr/bin/tmux", "-u",
      "-L", "viewer",
    ]
  }

  /// Opens a terminal with a shell that has printed "before".
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

  /// Resizes the terminal.
  func resize(columns: Int, rows: Int) throws {
    try run(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// Returns the visible text.
  func text() throws -> String { try run(["capture-pane", "-p"]) }

  /// Returns the value of a tmux format variable.
  func fact(_ name: String) throws -> String {
    try run(["display-message", "-p", "#{\(name)}"]).filter { !$0.isNewline }
  }

  /// Waits until a condition is met.
  func wait(
    until isSo: () throws -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    guard try !TestPatience.comes(everyMilliseconds: 50, isSo) else { return }
    Issue.record("it never came to be:\n\(try text())", sourceLocation: sourceLocation)
  }

  /// The color of a character as red, green and blue, or `nil` for the default color.
  typealias Cell = [Int]?

  /// Returns the visible colors, line by line.
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
        // Half and quarter blocks: the average of both colors.
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

  /// The current colors of the terminal.
  private struct Pen {
    var front: Cell = nil
    var back: Cell = nil
    var isInverse = false

    /// Applies SGR parameters.
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
