// SPDX-License-Identifier: Apache-2.0

/// A mistake in the tables themselves: the author of a command made it, not its user.
package struct TableFault: Sendable, Equatable, CustomStringConvertible {
  /// The command, as it is typed.
  package var command: String
  /// What is wrong.
  package var reason: Reason

  /// The ways in which tables can contradict themselves.
  package enum Reason: Sendable, Equatable {
    /// Two options that meet in one command have the same name or letter.
    case optionTwice(String)
    /// Two subcommands have the same name.
    case commandTwice(String)
    /// A subcommand is listed by another name than that of its table, and could not be called.
    case commandMisnamed(String, table: String)
    /// Two arguments have the same name, so that their words could not be told apart.
    case argumentTwice(String)
    /// The command has subcommands and arguments: the first word could be either.
    case argumentsBesideSubcommands
    /// The argument stands after one that can take its words, or that may be absent while it may not.
    case unreachableArgument(String)
    /// The option's default is no value that the option accepts.
    case badDefault(option: String)
    /// There is no summary or help text for this.
    case undocumented(String)
  }

  /// A sentence.
  package var description: String {
    switch reason {
    case .optionTwice(let name): "\(command): two options are called \(name)"
    case .commandMisnamed(let name, let table): "\(command): what is listed as \(name) calls itself \(table)"
    case .commandTwice(let name): "\(command): two subcommands are called \(name)"
    case .argumentTwice(let name): "\(command): two arguments are called \(name)"
    case .argumentsBesideSubcommands: "\(command): a command has subcommands or arguments, not both"
    case .unreachableArgument(let name): "\(command): the argument \(name) must stand further to the front"
    case .badDefault(let option): "\(command): the default of \(option) is not a value that it accepts"
    case .undocumented(let name): "\(command): \(name) has no help text"
    }
  }
}

extension CommandSpec {
  /// The mistakes in the tables of this command and of those below it; to be asked in a test.
  package var faults: [TableFault] { CommandPath(self).tree.flatMap(\.ownFaults) }
}

extension CommandPath {
  /// The mistakes in the table of the path's last command.
  fileprivate var ownFaults: [TableFault] {
    var reasons = Self.twice(options.map { "--\($0.long)" }).map(TableFault.Reason.optionTwice)
    reasons += Self.twice(options.compactMap(\.short).map { "-\($0)" }).map(TableFault.Reason.optionTwice)
    reasons += Self.twice(command.subcommands.names).map(TableFault.Reason.commandTwice)
    reasons += zip(command.subcommands.names, command.subcommands).compactMap { name, table in
      name == table.name ? nil : .commandMisnamed(name, table: table.name)
    }
    reasons += Self.twice(command.arguments.map(\.name)).map(TableFault.Reason.argumentTwice)
    if !command.subcommands.isEmpty && !command.arguments.isEmpty {
      reasons.append(.argumentsBesideSubcommands)
    }
    reasons += argumentOrderFaults + defaultFaults + undocumented
    return reasons.map { TableFault(command: words, reason: $0) }
  }

  /// The arguments that can never be reached, or not told from the one before.
  private var argumentOrderFaults: [TableFault.Reason] {
    zip(command.arguments, command.arguments.dropFirst()).compactMap { before, after in
      if before.restStart != nil { return .unreachableArgument(after.name) }
      if after.restStart != nil { return nil }
      let isAmbiguous = before.maximum == nil || (before.minimum == 0 && after.minimum > 0)
      return isAmbiguous ? .unreachableArgument(after.name) : nil
    }
  }

  /// The defaults that the option would refuse.
  private var defaultFaults: [TableFault.Reason] {
    command.options.compactMap { option in
      guard let text = option.defaultValue else { return nil }
      guard let value = option.value, value.kind.fault(in: text) == nil else {
        return .badDefault(option: "--\(option.long)")
      }
      return nil
    }
  }

  /// What nobody described.
  private var undocumented: [TableFault.Reason] {
    let texts =
      [(command.name, command.summary)] + command.options.map { ("--\($0.long)", $0.help) }
      + command.arguments.map { ($0.name, $0.help) }
    return texts.filter(\.1.isEmpty).map { .undocumented($0.0) }
  }

  /// The names that stand more than once, each reported once.
  private static func twice(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    var reported: Set<String> = []
    return names.filter { !seen.insert($0).inserted && reported.insert($0).inserted }
  }
}
