// SPDX-License-Identifier: Apache-2.0

/// The path from the root command to a subcommand.
package struct CommandPath: Sendable, Equatable {
  /// The root command.
  package let root: CommandSpec
  /// The commands below the root command, from the first to the last.
  package private(set) var steps: [CommandSpec] = []

  /// Creates the path to the root command itself.
  package init(_ root: CommandSpec) { self.root = root }

  /// Creates the path to the command with the given names, or returns `nil` if there is no such command.
  package init?(_ root: CommandSpec, _ names: [String]) {
    self.init(root)
    for name in names {
      guard descend(to: name) else { return nil }
    }
  }

  /// The command at the end of the path.
  package var command: CommandSpec { steps.last ?? root }

  /// The command as typed, with the program's name first.
  package var commandLine: String { ([root] + steps).map(\.name).joined(separator: " ") }

  /// The names as typed after the program's name.
  package var names: [String] { steps.map(\.name) }

  /// The options that are inherited from the parent commands, followed by `--help` and `--version`.
  package var inheritedOptions: [OptionSpec] {
    let above = steps.isEmpty ? [] : [root] + steps.dropLast()
    return above.reversed().flatMap(\.options) + [.help, .version]
  }

  /// All options that are available here; those of the command itself are first.
  package var options: [OptionSpec] { command.options + inheritedOptions }

  /// Appends a subcommand and returns whether it exists. If it does not exist, the path is unchanged.
  mutating func descend(to name: String) -> Bool {
    guard let next = command.subcommands[name] else { return false }
    steps.append(next)
    return true
  }

  /// This path and the paths of all commands below it, in the order of the specs.
  package var tree: [CommandPath] {
    [self]
      + command.subcommands.flatMap { subcommand -> [CommandPath] in
        var path = self
        path.steps.append(subcommand)
        return path.tree
      }
  }
}
