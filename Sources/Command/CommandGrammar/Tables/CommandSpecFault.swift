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
    /// The command has both subcommands and arguments, so that the first argument is ambiguous.
    case argumentsAndSubcommands
    /// The argument cannot receive a value: it follows a repeated or rest argument, or it is required and
    /// follows an optional one.
    case unreachableArgument(String)
    /// The option does not accept its own default value.
    case invalidDefault(option: String)
    /// The command, option or argument has no summary or help text.
    case undocumented(String)
  }

  /// The description of the fault, one sentence.
  package var description: String {
    switch reason {
    case .duplicateOption(let name): "\(command): two options are called \(name)"
    case .commandNameMismatch(let name, let table):
      "\(command): what is listed as \(name) calls itself \(table)"
    case .duplicateCommand(let name): "\(command): two subcommands are called \(name)"
    case .duplicateArgument(let name): "\(command): two arguments are called \(name)"
    case .argumentsAndSubcommands: "\(command): a command has subcommands or arguments, not both"
    case .unreachableArgument(let name): "\(command): the argument \(name) must stand further to the front"
    case .invalidDefault(let option): "\(command): the default of \(option) is not a value that it accepts"
    case .undocumented(let name): "\(command): \(name) has no help text"
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
    if !command.subcommands.isEmpty && !command.arguments.isEmpty {
      reasons.append(.argumentsAndSubcommands)
    }
    reasons += argumentOrderFaults + defaultFaults + undocumented
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

  /// Returns the names that occur more than once, each once.
  private static func duplicates(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    var reported: Set<String> = []
    return names.filter { !seen.insert($0).inserted && reported.insert($0).inserted }
  }
}
