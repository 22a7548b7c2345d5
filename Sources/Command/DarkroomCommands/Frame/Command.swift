// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar

/// A subcommand: its spec and its implementation.
package protocol Command: Sendable {
  /// The spec, from which the parser, help, manual page and completion are derived.
  static var spec: CommandSpec { get }
  /// Runs the command and returns the exit code of the program.
  static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32
}
