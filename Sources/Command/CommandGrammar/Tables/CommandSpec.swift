// SPDX-License-Identifier: Apache-2.0

/// One command of a command line, as a table: what parser, help, man page and completion are made from.
///
/// A command has subcommands or arguments, not both. Its options hold for all its subcommands too, so the options of
/// the topmost command are the global ones; `--help` and `--version` are everywhere without being named.
package struct CommandSpec: Sendable, Equatable {
  /// The word that is typed.
  package var name: String
  /// One line without a full stop at its end.
  package var summary: String
  /// Paragraphs, separated by empty lines.
  package var discussion: String
  /// The options of this command and of those below it.
  package var options: [OptionSpec]
  /// What follows the options, in order.
  package var arguments: [ArgumentSpec]
  /// The commands below this one.
  package var subcommands: Subcommands
  /// Whether the command means something without one of those below it.
  package var alone: Alone
  /// Command lines that can be copied.
  package var examples: [ExampleSpec]
  /// What the exit codes mean.
  package var exitCodes: [ExitCodeSpec]

  /// What a command with subcommands means without one.
  package enum Alone: Sendable, Equatable {
    /// Nothing: one must be named.
    case incomplete
    /// Something of its own.
    case complete
  }

  /// Makes a command.
  package init(
    _ name: String,
    summary: String,
    discussion: String = "",
    options: [OptionSpec] = [],
    arguments: [ArgumentSpec] = [],
    subcommands: Subcommands = [],
    alone: Alone = .incomplete,
    examples: [ExampleSpec] = [],
    exitCodes: [ExitCodeSpec] = []
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.options = options
    self.arguments = arguments
    self.subcommands = subcommands
    self.alone = alone
    self.examples = examples
    self.exitCodes = exitCodes
  }

  /// The argument that takes all remaining words as they are, if there is one.
  var rest: ArgumentSpec? { arguments.first { $0.restStart != nil } }

  /// The arguments before the one that takes all remaining words.
  var ordinaryArguments: [ArgumentSpec] { arguments.filter { $0.restStart == nil } }
}

/// A command line that can be copied, and what it does.
package struct ExampleSpec: Sendable, Equatable {
  /// The command line.
  package var command: String
  /// What it does, in one line.
  package var purpose: String

  /// Makes an example.
  package init(_ command: String, _ purpose: String) {
    self.command = command
    self.purpose = purpose
  }
}

/// An exit code and what it means.
package struct ExitCodeSpec: Sendable, Equatable {
  /// The code, or a range of codes such as "128+N".
  package var code: String
  /// What it means, in one line.
  package var meaning: String

  /// Makes the description of an exit code.
  package init(_ code: String, _ meaning: String) {
    self.code = code
    self.meaning = meaning
  }
}
