// SPDX-License-Identifier: Apache-2.0

/// The comparison of a command's output with the output that a document shows.
///
/// A documented line `…` stands for any number of lines, and `…` inside a line stands for any text. Numbers, the
/// widths of columns and empty lines may differ.
enum DocumentedOutput {
  /// Returns whether the documented lines describe the complete output of a command.
  static func matches(_ documented: [String], _ output: String) -> Bool {
    let lines = output.split(separator: "\n").map { normalized(String($0)) }
    return matches(
      documented.map(normalized).filter { !$0.isEmpty }[...],
      lines.filter { !$0.isEmpty }[...]
    )
  }

  private static func matches(_ documented: ArraySlice<String>, _ lines: ArraySlice<String>) -> Bool {
    guard let first = documented.first else { return lines.isEmpty }
    let rest = documented.dropFirst()
    if first == "…" {
      return (lines.startIndex...lines.endIndex).contains { matches(rest, lines[$0...]) }
    }
    guard let line = lines.first, isMatch(first, line) else { return false }
    return matches(rest, lines.dropFirst())
  }

  /// Returns whether a line of the output has the form of a documented line.
  private static func isMatch(_ documented: String, _ line: String) -> Bool {
    let parts = documented.split(separator: "…", omittingEmptySubsequences: false).map(String.init)
    guard let start = parts.first, let end = parts.last, parts.count > 1 else { return documented == line }
    guard line.hasPrefix(start) else { return false }
    var rest = line.dropFirst(start.count)
    for part in parts[1..<(parts.count - 1)] where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(end)
  }

  /// Returns a line with `0` instead of each number, and with single spaces.
  private static func normalized(_ line: String) -> String {
    var text = ""
    for character in line {
      let next: Character = ("0"..."9").contains(character) ? "0" : character
      if (next == "0" || next == " ") && text.last == next { continue }
      text.append(next)
    }
    return String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
