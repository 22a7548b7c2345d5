// SPDX-License-Identifier: Apache-2.0

/// What a person asked for, once the words have been understood.
///
/// The tables are the keys: `parsed.value(of: rootOption)`. A name that is misspelt does not compile.
package struct ParsedCommand: Sendable, Equatable {
  /// The command.
  package var path: CommandPath
  /// What is to be done with it.
  package var purpose: Purpose
  /// The values of each option by its long name, in the order given.
  var optionValues: [String: [String]] = [:]
  /// The long names of the flags that were given.
  var flags: Set<String> = []
  /// The words of each argument by its name.
  var argumentWords: [String: [String]] = [:]
  /// The words that were left untouched.
  package var rest: [String] = []

  /// What is to be done with a command.
  package enum Purpose: Sendable, Equatable {
    /// It is to be carried out.
    case run
    /// Its help is to be shown.
    case help
    /// The version of the program is to be shown.
    case version
  }

  /// The words of the command, without the program's name.
  package var names: [String] { path.names }

  /// Whether a flag, or an option with a value, was given.
  package func has(_ option: OptionSpec) -> Bool {
    flags.contains(option.long) || optionValues[option.long] != nil
  }

  /// The values of an option, in the order given; its default, if it has one and none was given.
  package func values(of option: OptionSpec) -> [String] {
    optionValues[option.long] ?? option.defaultValue.map { [$0] } ?? []
  }

  /// The value of an option, or its default.
  package func value(of option: OptionSpec) -> String? { values(of: option).last }

  /// The value of an option that takes a whole number, or its default.
  package func integer(of option: OptionSpec) -> Int? { value(of: option).flatMap { Int($0) } }

  /// The value of an option that takes a duration, or its default.
  package func duration(of option: OptionSpec) -> Duration? {
    value(of: option).flatMap { try? DurationText.parse($0) }
  }

  /// The value of an option that takes an amount of memory, or its default.
  package func byteCount(of option: OptionSpec) -> ByteCount? {
    value(of: option).flatMap { try? ByteCount(parsing: $0) }
  }

  /// The names and values of an option that takes assignments, in the order given.
  package func assignments(of option: OptionSpec) -> [(name: String, value: String)] {
    values(of: option).compactMap { text in
      guard let equals = text.firstIndex(of: "=") else { return nil }
      return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }
  }

  /// The words of an argument.
  package func words(of argument: ArgumentSpec) -> [String] {
    argument.restStart == nil ? argumentWords[argument.name] ?? [] : rest
  }

  /// The word of an argument that takes one, if it was given.
  package func word(of argument: ArgumentSpec) -> String? { words(of: argument).first }
}
