// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar

/// Commands by the word that is typed, in the order in which help lists them.
///
/// The word stands in the command's own table, too, but to look for it there all tables would have to be made.
package typealias CommandList = KeyValuePairs<String, any Command.Type>

/// A command that only holds other commands, such as `darkroom content`.
package protocol CommandGroup: Command {
  /// The commands in it.
  static var commands: CommandList { get }
}

extension CommandGroup {
  /// Does what the second word names.
  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    guard let command = commands.command(parsed.names.dropFirst().first) else {
      throw CommandFailure(.usage, "'\(spec.name)' needs a command; see 'darkroom \(spec.name) --help'")
    }
    return try command.run(parsed, console)
  }
}

extension CommandList {
  /// The command that a word names; nil if there is none, or no word.
  func command(_ name: String?) -> (any Command.Type)? { first { $0.key == name }?.value }
}

extension Subcommands {
  /// The tables of commands, each made when it is asked for.
  init(_ commands: CommandList) {
    self.init(
      commands.map { name, command -> (name: String, table: @Sendable () -> CommandSpec) in
        (name, { command.spec })
      }
    )
  }
}
