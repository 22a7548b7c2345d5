// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar

/// A subcommand: its table, and what it does.
package protocol Command: Sendable {
  /// Its name, options and arguments, from which parser, help, manual and completion come.
  static var spec: CommandSpec { get }
  /// Does it. Returns the exit code of the program.
  static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32
}
