// SPDX-License-Identifier: Apache-2.0

/// A command with all the commands above it.
package struct CommandPath: Sendable, Equatable {
  /// The topmost command.
  package let root: CommandSpec
  /// The commands below it, on the way down.
  package private(set) var steps: [CommandSpec] = []

  /// The path to the topmost command itself.
  package init(_ root: CommandSpec) { self.root = root }

  /// The path to the command that these words name, or nil if there is no such command.
  package init?(_ root: CommandSpec, _ names: [String]) {
    self.init(root)
    for name in names {
      guard descend(to: name) else { return nil }
    }
  }

  /// The command that the path leads to.
  package var command: CommandSpec { steps.last ?? root }

  /// The words that are typed, with the program's name first.
  package var words: String { ([root] + steps).map(\.name).joined(separator: " ") }

  /// The words that are typed after the program's name.
  package var names: [String] { steps.map(\.name) }

  /// The options that come from the commands above, and those that every command has.
  package var inheritedOptions: [OptionSpec] {
    let above = steps.isEmpty ? [] : [root] + steps.dropLast()
    return above.reversed().flatMap(\.options) + [.help, .version]
  }

  /// All options that can be given here, those of the command first.
  package var options: [OptionSpec] { command.options + inheritedOptions }

  /// Goes down one step; false, and nothing changed, if there is no such subcommand.
  mutating func descend(to name: String) -> Bool {
    guard let next = command.subcommands[name] else { return false }
    steps.append(next)
    return true
  }

  /// This path and those of all commands below it, in the order of the tables.
  package var tree: [CommandPath] {
    [self]
      + command.subcommands.flatMap { subcommand -> [CommandPath] in
        var path = self
        path.steps.append(subcommand)
        return path.tree
      }
  }
}
