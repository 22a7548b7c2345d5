// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar

/// Commands by name, in the order in which help lists them.
///
/// The name is repeated in the spec of each command. Without the key, a lookup would have to create all
/// specs.
package typealias CommandList = KeyValuePairs<String, any Command.Type>

/// A command that only groups other commands, such as `darkroom content`.
package protocol CommandGroup: Command {
  /// The commands of the group.
  static var commands: CommandList { get }
}

extension CommandGroup {
  /// Runs the command that the second name selects.
  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    guard let command = commands.command(parsed.names.dropFirst().first) else {
      throw CommandFailure(.usage, "'\(spec.name)' needs a command; see 'darkroom \(spec.name) --help'")
    }
    return try command.run(parsed, console)
  }
}

extension CommandList {
  /// Returns the command with a name, or `nil` if the name is `nil` or unknown.
  func command(_ name: String?) -> (any Command.Type)? { first { $0.key == name }?.value }
}

extension Subcommands {
  /// Creates subcommands from commands. Each spec is created on demand.
  init(_ commands: CommandList) {
    self.init(
      commands.map { name, command -> (name: String, table: @Sendable () -> CommandSpec) in
        (name, { command.spec })
      }
    )
  }
}
