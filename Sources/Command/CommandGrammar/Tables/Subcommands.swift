// SPDX-License-Identifier: Apache-2.0

/// The commands below a command. All are known by name, and a table is made when it is asked for.
///
/// A program is started for one command, and the tables of all others would be the larger part of what it does to find it.
package struct Subcommands: Sendable, ExpressibleByArrayLiteral {
  /// The words that are typed, in the order in which help lists them.
  package let names: [String]
  private let tables: [@Sendable () -> CommandSpec]

  /// Makes it of names, each with what makes the table of that name.
  package init(_ entries: some Sequence<(name: String, table: @Sendable () -> CommandSpec)>) {
    let entries = Array(entries)
    names = entries.map(\.name)
    tables = entries.map(\.table)
  }

  /// Makes it of tables.
  package init(arrayLiteral tables: CommandSpec...) {
    names = tables.map(\.name)
    self.tables = tables.map { table in { table } }
  }

  /// The table of the first command of this name; nil if there is none.
  package subscript(name: String) -> CommandSpec? {
    names.firstIndex(of: name).map { tables[$0]() }
  }
}

extension Subcommands: RandomAccessCollection {
  package var startIndex: Int { tables.startIndex }

  package var endIndex: Int { tables.endIndex }

  package subscript(position: Int) -> CommandSpec { tables[position]() }
}

extension Subcommands: Equatable {
  /// Whether names and tables are the same.
  package static func == (left: Subcommands, right: Subcommands) -> Bool {
    left.names == right.names && left.elementsEqual(right)
  }
}
