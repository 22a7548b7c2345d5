// SPDX-License-Identifier: Apache-2.0

/// Rows whose cells stand below each other, for people.
package struct TextTable {
  /// A column.
  package struct Column {
    /// What stands above it.
    var title: String
    /// On which side its cells are filled up.
    var alignment: Alignment

    /// Makes a column.
    package init(_ title: String, _ alignment: Alignment = .left) {
      self.title = title
      self.alignment = alignment
    }
  }

  /// Where the cells of a column begin or end.
  package enum Alignment {
    /// All begin at the same place: words.
    case left
    /// All end at the same place: numbers.
    case right
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  /// A table with only its head.
  package init(_ columns: [Column]) { self.columns = columns }

  /// Adds a row with a cell for each column.
  package mutating func add(_ cells: [String]) { rows.append(cells.map(Self.printable)) }

  /// The head and the rows, one a line.
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
    // What fills up the last column would only make the terminal wrap.
    let end = text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? text.startIndex
    return String(text[..<end])
  }

  /// A text of which nothing can reach the terminal as an order: extensions and apps choose names and sentences.
  package static func printable(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
      default: String(scalar)
      }
    }.joined()
  }
}
