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

  /// The error message for the terminal: the problem, the fix and the help command, each on a line.
  package var description: String {
    let place = position.map { " (argument \($0))" } ?? ""
    return ["\(command): \(reason.problem)\(place)", reason.remedy, "See '\(command) --help'."]
      .filter { !$0.isEmpty }
      .joined(separator: "\n")
  }
}

extension UsageError.Reason {
  /// The description of the problem.
  var problem: String {
    switch self {
    case .unknownCommand(let word, _, _): "there is no command \(Spelling.quoted(word))"
    case .missingCommand: "a command is missing"
    case .unknownOption(let word, _, _): "there is no option \(Spelling.quoted(word))"
    case .missingValue(let option, nil): "\(option) has no value"
    case .missingValue(let option, let found?):
      "\(option) has no value: \(Spelling.quoted(found)) looks like an option"
    case .unexpectedValue(let flag, let value):
      "\(flag) takes no value, but was given \(Spelling.quoted(value))"
    case .duplicateOption(let option): "\(option) is given twice"
    case .invalidValue(let name, let value, let fault): "\(name): \(Spelling.quoted(value)) \(fault)"
    case .missingOption(let option): "the option \(option) is missing"
    case .missingArgument(let name): "\(name) is missing"
    case .unexpectedArgument(let word, _): "\(Spelling.quoted(word)) is one argument too many"
    }
  }

  /// The fix, or an empty string if the problem already implies it.
  var remedy: String {
    switch self {
    case .unknownCommand(_, let suggestions, let available):
      suggestions.isEmpty
        ? Self.list(available) : "Did you mean '\(suggestions.joined(separator: "' or '"))'?"
    case .missingCommand(let available): Self.list(available)
    case .unknownOption(let word, let suggestions, let owners): Self.optionRemedy(word, suggestions, owners)
    case .missingValue(let option, nil): "Write \(option)."
    case .missingValue(let option, let found?):
      "Write \(option); a value that begins with a dash is written \(Self.joined(option))\(found)."
    case .unexpectedValue(let flag, _): "Write \(flag) alone."
    case .duplicateOption: "Give it once."
    case .invalidValue: ""
    case .missingOption(let option): "Add \(option)."
    case .missingArgument(let name): "Add \(name) at the end of the command."
    case .unexpectedArgument(_, .none): "Leave it out, or put it in quotes if it belongs to the word before."
    case .unexpectedArgument(_, .afterSeparator): "Put -- before the words that are to be passed on."
    }
  }

  /// Returns the fix for an option that the command does not have.
  private static func optionRemedy(_ word: String, _ suggestions: [String], _ owners: [String]) -> String {
    if !owners.isEmpty {
      return "It belongs to '\(owners.joined(separator: "', '"))'; write it after that command."
    }
    if !suggestions.isEmpty { return "Did you mean '\(suggestions.joined(separator: "' or '"))'?" }
    return "If it is not meant as an option, put -- before it."
  }

  /// Returns a sentence that lists the available commands, or an empty string if there are none.
  private static func list(_ available: [String]) -> String {
    available.isEmpty ? "" : "Commands: \(available.joined(separator: ", "))."
  }

  /// Returns an option in the form that directly precedes its value, such as `--root=`.
  private static func joined(_ option: String) -> String {
    "\(option.prefix { $0 != " " })="
  }
}
