// SPDX-License-Identifier: Apache-2.0

/// A fault in a command spec: an error of the command's author, not of its user.
package struct CommandSpecFault: Sendable, Equatable, CustomStringConvertible {
  /// The command, as typed.
  package var command: String
  /// The kind of fault.
  package var reason: Reason

  /// The kinds of faults in command specs.
  package enum Reason: Sendable, Equatable {
    /// Two options of the same command, including inherited ones, have the same name or letter.
    case duplicateOption(String)
    /// Two subcommands have the same name.
    case duplicateCommand(String)
    /// A subcommand is listed under a name that differs from the name in its spec, and cannot be run.
    case commandNameMismatch(String, table: String)
    /// Two arguments have the same name, so that their values cannot be distinguished.
    case duplicateArgument(String)
    /// The command describes an exit code twice.
    case duplicateExitCode(String)
    /// The command has both subcommands and arguments, so that the first argument is ambiguous.
    case argumentsAndSubcommands
    /// The argument cannot receive a value: it follows a repeated or rest argument, or it is required and
    /// follows an optional one.
    case unreachableArgument(String)
    /// The option does not accept its own default value.
    case invalidDefault(option: String)
    /// The command, option or argument has no summary or help text.
    case undocumented(String)
    /// The summary or help text of the command or option is longer than the limit.
    case tooLong(String, limit: Int)
    /// The summary or help text of the command or option is not in the imperative.
    case notImperative(String, firstWord: String)
    /// The summary or help text of the command, option or argument ends with a full stop.
    case finalStop(String)
    /// The command is in no group of the help, although its parent has groups.
    case ungroupedCommand(String)
    /// The group of the help names a command twice, or one that another group names, too.
    case regroupedCommand(String)
    /// The group of the help names a command that does not exist.
    case unknownCommandInGroup(String, topic: String)
    /// The topic of the help has the name of a command or of another topic.
    case ambiguousTopic(String)
    /// The subcommand that runs if none is named does not exist.
    case unknownDefault(String)
    /// The former name is the name of a command, or its current name is not.
    case invalidFormerName(FormerName)
  }

  /// The description of the fault, one sentence.
  package var description: String {
    switch reason {
    case .duplicateOption(let name): "\(command): two options are called \(name)"
    case .commandNameMismatch(let name, let table):
      "\(command): the subcommand that is listed as \(name) has a spec with the name \(table)"
    case .duplicateCommand(let name): "\(command): two subcommands are called \(name)"
    case .duplicateArgument(let name): "\(command): two arguments are called \(name)"
    case .duplicateExitCode(let code): "\(command): the exit code \(code) has two meanings"
    case .argumentsAndSubcommands: "\(command): a command has subcommands or arguments, not both"
    case .unreachableArgument(let name): "\(command): the argument \(name) must precede other arguments"
    case .invalidDefault(let option): "\(command): \(option) rejects its own default value"
    case .undocumented(let name): "\(command): \(name) has no help text"
    case .tooLong(let name, let limit): "\(command): the text of \(name) exceeds \(limit) characters"
    case .notImperative(let name, let word):
      "\(command): the text of \(name) must begin with an imperative, not with '\(word)'"
    case .finalStop(let name): "\(command): the text of \(name) must not end with a full stop"
    case .ungroupedCommand(let name): "\(command): no group of the help contains \(name)"
    case .regroupedCommand(let name): "\(command): the groups of the help contain \(name) twice"
    case .unknownCommandInGroup(let name, let topic):
      "\(command): the help topic \(topic) contains the unknown command \(name)"
    case .ambiguousTopic(let name):
      "\(command): the help topic \(name) has the name of a command or of another topic"
    case .unknownDefault(let name): "\(command): the default subcommand \(name) does not exist"
    case .invalidFormerName(let name):
      "\(command): the former name must be unused, and the current one must exist: \(name)"
    }
  }
}

extension CommandSpec {
  /// The faults in the specs of this command and of its subcommands, for tests.
  package var faults: [CommandSpecFault] { CommandPath(self).tree.flatMap(\.ownFaults) }
}

extension CommandPath {
  /// The faults in the spec of the path's last command.
  fileprivate var ownFaults: [CommandSpecFault] {
    var reasons = Self.duplicates(options.map { "--\($0.long)" }).map(CommandSpecFault.Reason.duplicateOption)
    reasons += Self.duplicates(options.compactMap(\.short).map { "-\($0)" }).map(
      CommandSpecFault.Reason.duplicateOption
    )
    reasons += Self.duplicates(command.subcommands.names).map(CommandSpecFault.Reason.duplicateCommand)
    reasons += zip(command.subcommands.names, command.subcommands).compactMap { name, table in
      name == table.name ? nil : .commandNameMismatch(name, table: table.name)
    }
    reasons += Self.duplicates(command.arguments.map(\.name)).map(CommandSpecFault.Reason.duplicateArgument)
    reasons += Self.duplicates(command.exitCodes.map(\.code)).map(
      CommandSpecFault.Reason.duplicateExitCode
    )
    if !command.subcommands.isEmpty && !command.arguments.isEmpty {
      reasons.append(.argumentsAndSubcommands)
    }
    reasons += argumentOrderFaults + defaultFaults + undocumented + styleFaults
    reasons += groupFaults + topicFaults + formerNameFaults
    return reasons.map { CommandSpecFault(command: commandLine, reason: $0) }
  }

  /// The faults of arguments that cannot receive a value or are ambiguous.
  private var argumentOrderFaults: [CommandSpecFault.Reason] {
    zip(command.arguments, command.arguments.dropFirst()).compactMap { before, after in
      if before.restStart != nil { return .unreachableArgument(after.name) }
      if after.restStart != nil { return nil }
      let isAmbiguous = before.maximum == nil || (before.minimum == 0 && after.minimum > 0)
      return isAmbiguous ? .unreachableArgument(after.name) : nil
    }
  }

  /// The faults of default values that the option rejects.
  private var defaultFaults: [CommandSpecFault.Reason] {
    command.options.compactMap { option in
      guard let text = option.defaultValue else { return nil }
      guard let value = option.value, value.kind.fault(in: text) == nil else {
        return .invalidDefault(option: "--\(option.long)")
      }
      return nil
    }
  }

  /// The faults of a missing summary or help text.
  private var undocumented: [CommandSpecFault.Reason] {
    let texts =
      [(command.name, command.summary)] + command.options.map { ("--\($0.long)", $0.help) }
      + command.arguments.map { ($0.name, $0.help) }
    return texts.filter(\.1.isEmpty).map { .undocumented($0.0) }
  }

  /// The faults of summaries and help texts that violate the form of help.
  private var styleFaults: [CommandSpecFault.Reason] {
    // The help has the summary of the root command, with a full stop, on a line of its own with 80 columns.
    let imperatives =
      [(name: command.name, text: command.summary, limit: names.isEmpty ? 79 : 60)]
      + command.options.map { (name: "--\($0.long)", text: $0.help, limit: 100) }
    var reasons: [CommandSpecFault.Reason] = []
    for (name, text, limit) in imperatives {
      if text.count > limit { reasons.append(.tooLong(name, limit: limit)) }
      let first = text.prefix { $0 != " " && $0 != "," }
      if !Self.isImperative(first) { reasons.append(.notImperative(name, firstWord: String(first))) }
      if text.hasSuffix(".") { reasons.append(.finalStop(name)) }
    }
    for argument in command.arguments where argument.help.hasSuffix(".") {
      reasons.append(.finalStop(argument.name))
    }
    return reasons
  }

  /// Returns whether a word can begin a sentence in the imperative. An empty text is a fault of its own.
  private static func isImperative(_ word: Substring) -> Bool {
    let rejected = [
      "A", "An", "All", "How", "Only", "One", "Say", "See", "That", "The", "What", "Where", "Who", "Why",
    ]
    return !rejected.contains(String(word)) && (!word.hasSuffix("s") || word.hasSuffix("ss"))
  }

  /// The faults of groups in the help, if the command has groups.
  private var groupFaults: [CommandSpecFault.Reason] {
    let names = command.subcommands.names
    let grouped = command.topics.flatMap(\.commands)
    guard !grouped.isEmpty else { return [] }
    var reasons = Self.duplicates(grouped).map(CommandSpecFault.Reason.regroupedCommand)
    reasons += names.filter { !grouped.contains($0) }.map(CommandSpecFault.Reason.ungroupedCommand)
    for topic in command.topics {
      for name in topic.commands where !names.contains(name) {
        reasons.append(.unknownCommandInGroup(name, topic: topic.name))
      }
    }
    return reasons
  }

  /// The faults of topic names and of the default subcommand.
  private var topicFaults: [CommandSpecFault.Reason] {
    var reasons = Self.duplicates(command.subcommands.names + command.topics.map(\.name) + ["help"])
      .filter { name in name == "help" || command.topics.contains { $0.name == name } }
      .map(CommandSpecFault.Reason.ambiguousTopic)
    if case .defaultsTo(let name) = command.subcommandRequirement, defaultSubcommand == nil {
      reasons.append(.unknownDefault(name))
    }
    return reasons
  }

  /// The faults of former names, which only the root command defines.
  private var formerNameFaults: [CommandSpecFault.Reason] {
    command.formerNames.filter {
      CommandPath(root, $0.former) != nil || CommandPath(root, $0.current) == nil || !names.isEmpty
    }.map { .invalidFormerName($0) }
  }

  /// Returns the names that occur more than once, each once.
  private static func duplicates(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    var reported: Set<String> = []
    return names.filter { !seen.insert($0).inserted && reported.insert($0).inserted }
  }
}
