// SPDX-License-Identifier: Apache-2.0

/// The subcommands of a command. Their names are known, and each spec is created on demand.
///
/// The program runs one command. Creating the specs of all other commands would take most of the startup
/// time.
package struct Subcommands: Sendable, ExpressibleByArrayLiteral {
  /// The names as typed, in the order in which help lists them.
  package let names: [String]
  private let tables: [@Sendable () -> CommandSpec]

  /// Creates subcommands from names, each with a closure that creates the spec of that name.
  package init(_ entries: some Sequence<(name: String, table: @Sendable () -> CommandSpec)>) {
    let entries = Array(entries)
    names = entries.map(\.name)
    tables = entries.map(\.table)
  }

  /// Creates subcommands from specs.
  package init(arrayLiteral tables: CommandSpec...) {
    names = tables.map(\.name)
    self.tables = tables.map { table in { table } }
  }

  /// The spec of the first command with this name, or `nil` if there is none.
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
  /// Returns whether two collections have the same names and specs.
  package static func == (left: Subcommands, right: Subcommands) -> Bool {
    left.names == right.names && left.elementsEqual(right)
  }
}
