// SPDX-License-Identifier: Apache-2.0

/// An error in a command line, with the position, a fix, and the command that prints the relevant help.
package struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of error.
  package var reason: Reason
  /// The command that was being parsed, as typed.
  package var command: String
  /// The number of the invalid argument, counted from 1 after the program's name, or `nil` if an argument is
  /// missing.
  package var position: Int?

  /// The kinds of errors in a command line.
  package enum Reason: Sendable, Equatable {
    /// The command does not exist.
    case unknownCommand(String, suggestions: [String], available: [String])
    /// A subcommand is required.
    case missingCommand(available: [String])
    /// The command does not have this option. `owners` are the other commands that have it.
    case unknownOption(String, suggestions: [String], owners: [String])
    /// The option requires a value, and no valid value follows.
    case missingValue(option: String, found: String?)
    /// A value was given for a flag.
    case unexpectedValue(flag: String, value: String)
    /// An option that takes one value was given twice.
    case duplicateOption(option: String)
    /// The value of an option or argument is invalid.
    case invalidValue(of: String, value: String, ValueFault)
    /// A required option is missing.
    case missingOption(String)
    /// A required argument is missing.
    case missingArgument(String)
    /// There are too many arguments.
    case unexpectedArgument(String, RestHint)
  }

  /// The hint to give for an extra argument.
  package enum RestHint: Sendable, Equatable {
    /// The command takes no further arguments.
    case none
    /// The command takes further arguments after `--`.
    case afterSeparator
  }

  /// The error message for the terminal: the problem and its fix on one line, and the help command on the next.
  package var description: String {
    let place = position.map { " (argument \($0))" } ?? ""
    let fix = reason.fix.isEmpty ? "" : "; \(reason.fix)"
    return "\(command): \(reason.problem)\(place)\(fix)\nSee '\(command) --help'."
  }
}

extension UsageError.Reason {
  /// The maximum number of commands that a message lists. Help lists more of them better.
  private static let maximumCommands = 16

  /// The description of the problem.
  var problem: String {
    switch self {
    case .unknownCommand(let word, _, _): "unknown command \(Spelling.quoted(word))"
    case .missingCommand: "missing command"
    case .unknownOption(let word, _, _): "unknown option \(Spelling.quoted(word))"
    case .missingValue(let option, nil): "missing value of \(option)"
    case .missingValue(let option, let found?):
      "missing value of \(option): \(Spelling.quoted(found)) looks like an option"
    case .unexpectedValue(let flag, let value): "\(flag) does not take the value \(Spelling.quoted(value))"
    case .duplicateOption(let option): "\(option) is given twice"
    case .invalidValue(let name, let value, let fault): "\(name): \(Spelling.quoted(value)) \(fault.problem)"
    case .missingOption(let option): "missing option \(option)"
    case .missingArgument(let name): "missing argument \(name)"
    case .unexpectedArgument(let word, _): "unexpected argument \(Spelling.quoted(word))"
    }
  }

  /// The fix, or an empty string if the problem already implies it.
  var fix: String {
    switch self {
    case .unknownCommand(_, let suggestions, let available):
      suggestions.isEmpty ? Self.list(available) : Self.suggestion(suggestions)
    case .missingCommand(let available): Self.list(available)
    case .unknownOption(_, let suggestions, let owners): Self.optionFix(suggestions, owners)
    case .missingValue(let option, nil): "add \(option.split(separator: " ").last ?? "it")"
    case .missingValue(let option, let found?):
      "if the value begins with a dash, write \(Self.joined(option))\(found)"
    case .unexpectedValue(let flag, _): "write \(flag) alone"
    case .duplicateOption: "remove one of the two"
    case .invalidValue(_, _, let fault): fault.fix
    case .missingOption(let option): "add \(option)"
    case .missingArgument(let name): "add \(name) at the end of the command line"
    case .unexpectedArgument(_, .none): "remove it, or quote it if it belongs to the previous argument"
    case .unexpectedArgument(_, .afterSeparator): "write -- before the arguments that are passed on"
    }
  }

  /// Returns the fix for an option that the command does not have.
  private static func optionFix(_ suggestions: [String], _ owners: [String]) -> String {
    guard owners.isEmpty else {
      return owners.count > 3
        ? "write it after the name of its command" : "write it after '\(owners.joined(separator: "' or '"))'"
    }
    return suggestions.isEmpty ? "write -- before an argument that is not an option" : suggestion(suggestions)
  }

  /// Returns a question that suggests words.
  private static func suggestion(_ words: [String]) -> String {
    Spelling.suggestionText(words)
  }

  /// Returns a list of the available commands, or an empty string if there are none or too many.
  private static func list(_ available: [String]) -> String {
    available.isEmpty || available.count > maximumCommands
      ? "" : "commands: \(available.joined(separator: ", "))"
  }

  /// Returns an option in the form that directly precedes its value, such as `--root=`.
  private static func joined(_ option: String) -> String {
    "\(option.prefix { $0 != " " })="
  }
}
