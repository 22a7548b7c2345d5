// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// A terminal with readable contents: a window of a private tmux server, which exits with this object.
final class TmuxTerminal {
  private let home: TestHome
  private var tmux: [String] {
    [
      "/usr/bin/env", "TMUX_TMPDIR=\(home.directory)", "DARKROOM_ROOT=\(home.root)", "/usr/bin/tmux", "-u",
      "-L", "viewer",
    ]
  }

  /// The argument of `--preview` that shows a viewfinder in characters, which can be read back. From version 3.4 on, tmux can
  /// offer pixels, which a host prefers.
  static let preview: String = {
    let version = TestHome.output(of: ["/usr/bin/tmux", "-V"])
    let number = version.firstMatch(of: /([0-9]+)\.([0-9]+)/).map { (Int($0.1) ?? 0, Int($0.2) ?? 0) }
    return (number ?? (0, 0)) < (3, 4) ? "terminal" : "terminal:blocks"
  }()

  /// Opens a terminal with a shell that has printed "before".
  init(_ home: TestHome, columns: Int, rows: Int) throws {
    self.home = home
    try run([
      "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
      "echo before; exec env PS1='%% ' COLORTERM=truecolor /bin/sh",
    ])
    try wait { try self.text().contains("before") }
  }

  deinit { _ = try? run(["kill-server"]) }

  @discardableResult
  private func run(_ arguments: [String]) throws -> String {
    let result = try home.start(tmux + arguments).end()
    try #require(result.code == 0, "tmux \(arguments): \(result.errors)")
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
  func formatVariable(_ name: String) throws -> String {
    try run(["display-message", "-p", "#{\(name)}"]).filter { !$0.isNewline }
  }

  /// Waits until a condition is met.
  func wait(
    until condition: () throws -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    guard try !TestTimeout.waitUntil(everyMilliseconds: 50, condition) else { return }
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
        case " ": cells.append(pen.isInverse ? pen.foreground : pen.background)
        case "█": cells.append(pen.isInverse ? pen.background : pen.foreground)
        // Half and quarter blocks: the average of both colors.
        default: cells.append(average(pen.foreground, pen.background))
        }
        continue
      }
      let numbers = rest[rest.index(after: rest.startIndex)..<end].split(separator: ";").compactMap {
        Int($0)
      }
      rest = rest[rest.index(after: end)...]
      pen.apply(numbers)
    }
    return cells
  }

  private static func average(_ foreground: Cell, _ background: Cell) -> Cell {
    guard let foreground, let background else { return foreground ?? background }
    return zip(foreground, background).map { ($0 + $1) / 2 }
  }

  /// The current colors of the terminal.
  private struct Pen {
    var foreground: Cell = nil
    var background: Cell = nil
    var isInverse = false

    /// Applies SGR parameters.
    mutating func apply(_ numbers: [Int]) {
      if numbers.isEmpty { self = Pen() }
      var index = 0
      while index < numbers.count {
        let isColour = index + 4 < numbers.count && numbers[index + 1] == 2
        switch numbers[index] {
        case 38 where isColour: foreground = Array(numbers[index + 2...index + 4])
        case 48 where isColour: background = Array(numbers[index + 2...index + 4])
        case 0: self = Pen()
        case 7: isInverse = true
        case 27: isInverse = false
        case 39: foreground = nil
        case 49: background = nil
        default: break
        }
        index += isColour ? 5 : 1
      }
    }
  }
}
