// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar

/// A command that only holds other commands, such as `darkroom content`.
package protocol CommandGroup: Command {
  /// The commands in the order in which help lists them.
  static var commands: [any Command.Type] { get }
}

extension CommandGroup {
  /// Does what the second word names.
  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let name = parsed.names.dropFirst().first
    guard let command = commands.first(where: { $0.spec.name == name }) else {
      throw CommandFailure(.usage, "'\(spec.name)' needs a command; see 'darkroom \(spec.name) --help'")
    }
    return try command.run(parsed, console)
  }
}
