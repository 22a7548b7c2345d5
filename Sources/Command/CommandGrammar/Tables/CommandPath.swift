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

  /// The options of the command and of its parents below the root command; those of the command itself are
  /// first.
  package var ownOptions: [OptionSpec] { steps.reversed().flatMap(\.options) }

  /// The options that every command has: `--help`, `--version` and the options of the root command.
  package var commonOptions: [OptionSpec] { [.help, .version] + root.options }

  /// All options that are available here; those of the command itself are first.
  package var options: [OptionSpec] { ownOptions + commonOptions }

  /// The exit codes in ascending order; codes that are not numbers are last. A meaning of the command itself
  /// replaces the one that the root command defines for every command.
  ///
  /// A command that only groups others has no exit codes.
  package var exitCodes: [ExitCodeSpec] {
    guard command.subcommands.isEmpty || command.subcommandRequirement == .optional else { return [] }
    let own = command.exitCodes
    let codes = own + root.commonExitCodes.filter { common in !own.contains { $0.code == common.code } }
    let keys = codes.enumerated().map { (Int($0.element.code) ?? Int.max, $0.offset) }
    return keys.sorted { $0 < $1 }.map { codes[$0.1] }
  }

  /// The path to the subcommand that runs if none is named, or `nil` if there is none.
  package var defaultSubcommand: CommandPath? {
    guard case .defaultsTo(let name) = command.subcommandRequirement else { return nil }
    var path = self
    return path.descend(to: name) ? path : nil
  }

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
