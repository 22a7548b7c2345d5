// SPDX-License-Identifier: Apache-2.0

/// A topic of the help: a name that can follow `help` and is not the name of a command.
package struct HelpTopic: Sendable, Equatable {
  /// The name, as typed after `help`.
  package var name: String
  /// The heading: a few words without a final full stop.
  package var title: String
  /// The contents.
  package var content: Content

  /// The kinds of contents of a topic.
  package enum Content: Sendable, Equatable {
    /// A group of commands, by name. The help of the parent command describes the main commands and names the
    /// others.
    case commands(main: [String], others: [String])
    /// The commands of all groups.
    case allCommands
    /// The general meanings of the exit codes.
    case exitCodes([ExitCodeSpec])
  }

  /// Creates a topic.
  package init(_ name: String, _ title: String, _ content: Content) {
    self.name = name
    self.title = title
    self.content = content
  }

  /// The exit codes of the topic, or an empty array for other topics.
  package var exitCodes: [ExitCodeSpec] {
    if case .exitCodes(let codes) = content { codes } else { [] }
  }

  /// The names of the commands in a group, main commands first, or an empty array for other topics.
  package var commands: [String] {
    guard case .commands(let main, let others) = content else { return [] }
    return main + others
  }
}
