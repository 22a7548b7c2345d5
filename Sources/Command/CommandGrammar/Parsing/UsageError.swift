// SPDX-License-Identifier: Apache-2.0

/// Why a command line was not understood: what, where, how to mend it, and which help to ask.
package struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong.
  package var reason: Reason
  /// The command that was being read, as it is typed.
  package var command: String
  /// The number of the word that is wrong, counted from one after the program's name; nil if a word is missing.
  package var position: Int?

  /// The ways in which a command line can be wrong.
  package enum Reason: Sendable, Equatable {
    /// There is no such command.
    case unknownCommand(String, suggestions: [String], available: [String])
    /// A command must follow.
    case missingCommand(available: [String])
    /// There is no such option here; some other commands may have it.
    case unknownOption(String, suggestions: [String], owners: [String])
    /// The option needs a value and what follows is none.
    case missingValue(option: String, found: String?)
    /// The flag was given a value.
    case unexpectedValue(flag: String, value: String)
    /// The option was given twice and takes one value.
    case givenTwice(option: String)
    /// The value is none that is accepted.
    case invalidValue(of: String, value: String, ValueFault)
    /// The option must be given.
    case missingOption(String)
    /// An argument must be given.
    case missingArgument(String)
    /// There is a word too many.
    case unexpectedArgument(String, RestHint)
  }

  /// What to say about a word too many.
  package enum RestHint: Sendable, Equatable {
    /// The command takes no more words.
    case none
    /// The command takes more words, after `--`.
    case afterSeparator
  }

  /// A few lines for the terminal.
  package var description: String {
    let place = position.map { " (argument \($0))" } ?? ""
    return ["\(command): \(reason.problem)\(place)", reason.remedy, "See '\(command) --help'."]
      .filter { !$0.isEmpty }
      .joined(separator: "\n")
  }
}

extension UsageError.Reason {
  /// What is wrong.
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
    case .givenTwice(let option): "\(option) is given twice"
    case .invalidValue(let name, let value, let fault): "\(name): \(Spelling.quoted(value)) \(fault)"
    case .missingOption(let option): "the option \(option) is missing"
    case .missingArgument(let name): "\(name) is missing"
    case .unexpectedArgument(let word, _): "\(Spelling.quoted(word)) is one argument too many"
    }
  }

  /// How to mend it; empty where the problem says it already.
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
    case .givenTwice: "Give it once."
    case .invalidValue: ""
    case .missingOption(let option): "Add \(option)."
    case .missingArgument(let name): "Add \(name) at the end of the command."
    case .unexpectedArgument(_, .none): "Leave it out, or put it in quotes if it belongs to the word before."
    case .unexpectedArgument(_, .afterSeparator): "Put -- before the words that are to be passed on."
    }
  }

  /// How to mend an option that does not exist here.
  private static func optionRemedy(_ word: String, _ suggestions: [String], _ owners: [String]) -> String {
    if !owners.isEmpty {
      return "It belongs to '\(owners.joined(separator: "', '"))'; write it after that command."
    }
    if !suggestions.isEmpty { return "Did you mean '\(suggestions.joined(separator: "' or '"))'?" }
    return "If it is not meant as an option, put -- before it."
  }

  /// The commands that can be given.
  private static func list(_ available: [String]) -> String {
    available.isEmpty ? "" : "Commands: \(available.joined(separator: ", "))."
  }

  /// An option as it is written directly before its value.
  private static func joined(_ option: String) -> String {
    "\(option.prefix { $0 != " " })="
  }
}
