// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The assignments in a unit file or drop-in (systemd.syntax(7)).
struct UnitFile {
  /// A `KEY=VALUE` assignment.
  struct Assignment: Hashable {
    var key: String
    /// The value, with continuation lines joined.
    var value: String
    /// The position of the assignment.
    var position: TextPosition
    /// The location as text, for messages.
    var location: String { "line \(position.line)" }
  }

  /// The assignments of all sections, in order.
  private(set) var assignments: [Assignment] = []

  /// Parses a unit file.
  ///
  /// - Throws: ``InterchangeError`` if a line is not an assignment.
  init(_ text: String) throws(InterchangeError) {
    var open: Assignment?
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      var line = Self.trimmed(line)
      // Comments are allowed between continuation lines.
      if line.first == "#" || line.first == ";" { continue }
      let isContinued = line.last == "\\"
      if isContinued { line = Self.trimmed(line.dropLast()) }
      if var unfinished = open {
        unfinished.value += " " + line
        open = isContinued ? unfinished : nil
        if !isContinued { assignments.append(unfinished) }
        continue
      }
      if line.isEmpty || (line.first == "[" && line.last == "]") { continue }
      let position = TextPosition(line: number + 1, column: 1)
      guard let equals = line.firstIndex(of: "=") else {
        throw InterchangeError(position, .expected("KEY=VALUE", found: "\"\(line)\""))
      }
      let assignment = Assignment(
        key: String(Self.trimmed(line[..<equals])),
        value: String(Self.trimmed(line[line.index(after: equals)...])),
        position: position
      )
      if isContinued { open = assignment } else { assignments.append(assignment) }
    }
    if let open { assignments.append(open) }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.first?.isWhitespace ?? false { text.removeFirst() }
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return text
  }
}
