// SPDX-License-Identifier: Apache-2.0

internal import PolicyExplanation

extension AuditReport {
  /// The lines of the report for a terminal, without control characters.
  package var lines: [String] {
    var lines = [title, String(repeating: "=", count: title.count), ""] + Self.lines(provenance)
    for part in parts {
      lines += ["", part.title, String(repeating: "=", count: part.title.count)]
      for section in part.sections {
        lines += ["", section.title, String(repeating: "-", count: section.title.count)]
        for block in section.blocks { lines += [""] + Self.lines(block) }
      }
    }
    return lines.map(TextTable.printable)
  }

  private static func lines(_ block: AuditBlock) -> [String] {
    switch block {
    case .text(let text): wrapped(text)
    case .facts(let facts): lines(facts)
    case .table(let table): lines(table)
    case .statements(let title, let statements):
      (title.isEmpty ? [] : [title]) + statements.flatMap(lines)
    case .notice(let mark, let text): wrapped((mark.word.map { "\($0.uppercased()): " } ?? "") + text)
    }
  }

  private static func lines(_ facts: [AuditFact]) -> [String] {
    let width = facts.map(\.name.count).max() ?? 0
    return facts.map { "\($0.name)\(String(repeating: " ", count: width - $0.name.count))  \($0.value)" }
  }

  private static func lines(_ statement: AuditStatement) -> [String] {
    let mark = statement.mark.word ?? ""
    let lead = mark + String(repeating: " ", count: 8 - mark.count)
    return wrapped(statement.text, first: "  \(lead)", others: "          ")
      + statement.items.flatMap { wrapped($0, first: "            - ", others: "              ") }
  }

  private static func lines(_ table: AuditTable) -> [String] {
    var text = TextTable(table.columns.map { .init($0.uppercased()) })
    for row in table.rows { text.add(row.map(\.text)) }
    let lines = text.lines
    let isNarrow = lines.allSatisfy { $0.count <= maximumWidth }
    return wrapped(table.caption) + [""] + (isNarrow ? lines : rows(table))
  }

  /// The maximum width of wrapped lines, in characters.
  private static let maximumWidth = 100

  /// Returns the cells of a table that is too wide for a terminal, each on a separate line.
  private static func rows(_ table: AuditTable) -> [String] {
    table.rows.flatMap { row -> [String] in
      let name = wrapped(row.first?.text ?? "", first: "- ", others: "  ")
      let cells = zip(table.columns, row).dropFirst().filter { !$0.1.text.isEmpty }
      return name + cells.flatMap { wrapped("\($0.0): \($0.1.text)", first: "    ", others: "      ") }
    }
  }

  /// Returns a text, wrapped to the maximum width.
  private static func wrapped(_ text: String, first: String = "", others: String = "") -> [String] {
    var lines: [String] = []
    var line = first
    var hasWord = false
    for word in text.split(separator: " ") {
      if hasWord, line.count + word.count + 1 > maximumWidth {
        lines.append(line)
        (line, hasWord) = (others, false)
      }
      line += (hasWord ? " " : "") + word
      hasWord = true
    }
    return lines + [line]
  }
}
