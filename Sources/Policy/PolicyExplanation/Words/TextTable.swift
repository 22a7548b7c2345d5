// SPDX-License-Identifier: Apache-2.0

/// A table as plain text.
package struct TextTable {
  /// A column of a table.
  package struct Column {
    /// The heading of the column.
    var title: String
    /// The alignment of the cells.
    var alignment: Alignment

    /// Creates a column.
    package init(_ title: String, _ alignment: Alignment = .left) {
      self.title = title
      self.alignment = alignment
    }
  }

  /// The alignment of the cells in a column.
  package enum Alignment {
    /// The cells start at the same column, for text.
    case left
    /// The cells end at the same column, for numbers.
    case right
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  /// Creates a table without rows.
  package init(_ columns: [Column]) { self.columns = columns }

  /// Adds a row with one cell for each column.
  package mutating func add(_ cells: [String]) { rows.append(cells.map(Self.printable)) }

  /// The heading and the rows, one in each line.
  package var lines: [String] {
    let all = [columns.map(\.title)] + rows
    let widths = columns.indices.map { index in all.map { $0[index].count }.max() ?? 0 }
    return all.map { line($0, widths) }
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    let padded = zip(zip(cells, widths), columns).map { pair, column in
      let space = String(repeating: " ", count: pair.1 - pair.0.count)
      return column.alignment == .left ? pair.0 + space : space + pair.0
    }
    let text = padded.joined(separator: "  ")
    // Trailing spaces in the last column could wrap the line in a terminal.
    let end = text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? text.startIndex
    return String(text[..<end])
  }

  /// Returns a text with escaped control characters. Extensions and apps choose names, so terminal escape
  /// sequences in them must have no effect.
  package static func printable(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
      default: String(scalar)
      }
    }.joined()
  }
}
