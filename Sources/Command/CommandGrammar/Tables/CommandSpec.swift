// SPDX-License-Identifier: Apache-2.0

/// The spec of a command, from which the parser, help, manual page and completion are derived.
///
/// A command has either subcommands or arguments. Its options also apply to all its subcommands, so the
/// options of the root command are global. `--help` and `--version` are available in all commands.
package struct CommandSpec: Sendable, Equatable {
  /// The name of the command, as typed.
  package var name: String
  /// A summary in the imperative: at most 60 characters (79 for the root command), without a final full stop.
  package var summary: String
  /// Paragraphs, separated by empty lines.
  package var discussion: String
  /// The options of this command and of those below it.
  package var options: [OptionSpec]
  /// The positional arguments, in order.
  package var arguments: [ArgumentSpec]
  /// The commands that can follow the name of this command.
  package var subcommands: Subcommands
  /// Whether a subcommand is required.
  package var subcommandRequirement: SubcommandRequirement
  /// Command lines that can be copied.
  package var examples: [ExampleSpec]
  /// The exit codes of this command, with their meanings for this command.
  package var exitCodes: [ExitCodeSpec]
  /// The exit codes that every command has. Only the root command defines them.
  package var commonExitCodes: [ExitCodeSpec]
  /// The topics of the help. They group the subcommands; without topics, help lists all subcommands.
  package var topics: [HelpTopic]
  /// The former names of the commands. Only the root command defines them.
  package var formerNames: [FormerName]

  /// The requirement of a subcommand, for a command that has some.
  package enum SubcommandRequirement: Sendable, Equatable {
    /// A subcommand is required.
    case required
    /// The command can also be run without a subcommand.
    case optional
    /// This subcommand runs if none is named.
    case defaultsTo(String)
  }

  /// Creates the spec of a command.
  package init(
    _ name: String,
    summary: String,
    discussion: String = "",
    options: [OptionSpec] = [],
    arguments: [ArgumentSpec] = [],
    subcommands: Subcommands = [],
    subcommandRequirement: SubcommandRequirement = .required,
    examples: [ExampleSpec] = [],
    exitCodes: [ExitCodeSpec] = [],
    commonExitCodes: [ExitCodeSpec] = [],
    topics: [HelpTopic] = [],
    formerNames: [FormerName] = []
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.options = options
    self.arguments = arguments
    self.subcommands = subcommands
    self.subcommandRequirement = subcommandRequirement
    self.examples = examples
    self.exitCodes = exitCodes
    self.commonExitCodes = commonExitCodes
    self.topics = topics
    self.formerNames = formerNames
  }

  /// The argument that takes all remaining arguments without interpretation, or `nil` if there is none.
  var rest: ArgumentSpec? { arguments.first { $0.restStart != nil } }

  /// The arguments before the rest argument.
  var leadingArguments: [ArgumentSpec] { arguments.filter { $0.restStart == nil } }
}

/// A command line that can be copied, with its purpose.
package struct ExampleSpec: Sendable, Equatable {
  /// The command line.
  package var command: String
  /// The purpose of the example, one line.
  package var purpose: String

  /// Creates an example.
  package init(_ command: String, _ purpose: String) {
    self.command = command
    self.purpose = purpose
  }
}

/// An exit code with its meaning.
package struct ExitCodeSpec: Sendable, Equatable {
  /// The code, or a range of codes such as "128+N".
  package var code: String
  /// The meaning, one line.
  package var meaning: String

  /// Creates the description of an exit code.
  package init(_ code: String, _ meaning: String) {
    self.code = code
    self.meaning = meaning
  }
}
