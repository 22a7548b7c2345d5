// SPDX-License-Identifier: Apache-2.0

/// A parsed command line.
///
/// Values are looked up by spec, as in `parsed.value(of: rootOption)`, so that a misspelled name does not
/// compile.
package struct ParsedCommand: Sendable, Equatable {
  /// The path to the command.
  package var path: CommandPath
  /// The action to take.
  package var purpose: Purpose
  /// The values of each option, in the order given. The key is the option's long name.
  var optionValues: [String: [String]] = [:]
  /// The long names of the given flags.
  var flags: Set<String> = []
  /// The values of each argument. The key is the argument's name.
  var argumentValues: [String: [String]] = [:]
  /// The arguments that the parser did not interpret.
  package var rest: [String] = []
  /// The former name by which the command was named, or `nil` if the current name was used.
  package var formerName: FormerName?

  /// The action to take for a command.
  package enum Purpose: Sendable, Equatable {
    /// Run the command.
    case run
    /// Print the help of the command.
    case help
    /// Print a topic of the help.
    case topic(HelpTopic)
    /// Print the version of the program.
    case version
  }

  /// The names of the command and its parents, without the program's name.
  package var names: [String] { path.names }

  /// Returns whether a flag, or an option with a value, was given.
  package func has(_ option: OptionSpec) -> Bool {
    flags.contains(option.long) || optionValues[option.long] != nil
  }

  /// Returns the values of an option in the order given, or its default value if the option was not given.
  package func values(of option: OptionSpec) -> [String] {
    optionValues[option.long] ?? option.defaultValue.map { [$0] } ?? []
  }

  /// Returns the last value of an option, or its default value.
  package func value(of option: OptionSpec) -> String? { values(of: option).last }

  /// Returns the value of an option that takes an integer, or its default value.
  package func integer(of option: OptionSpec) -> Int? { value(of: option).flatMap { Int($0) } }

  /// Returns the value of an option that takes a duration, or its default value.
  package func duration(of option: OptionSpec) -> Duration? {
    value(of: option).flatMap { try? DurationText.parse($0) }
  }

  /// Returns the value of an option that takes a number of bytes, or its default value.
  package func byteCount(of option: OptionSpec) -> ByteCount? {
    value(of: option).flatMap { try? ByteCount(parsing: $0) }
  }

  /// Returns the names and values of an option that takes assignments, in the order given.
  package func assignments(of option: OptionSpec) -> [(name: String, value: String)] {
    values(of: option).compactMap { text in
      guard let equals = text.firstIndex(of: "=") else { return nil }
      return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }
  }

  /// Returns the values of an argument.
  package func values(of argument: ArgumentSpec) -> [String] {
    argument.restStart == nil ? argumentValues[argument.name] ?? [] : rest
  }

  /// Returns the first value of an argument, or `nil` if it was not given.
  package func value(of argument: ArgumentSpec) -> String? { values(of: argument).first }
}
