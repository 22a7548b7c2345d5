// SPDX-License-Identifier: Apache-2.0

/// An option: a flag, or a name with a value.
package struct OptionSpec: Sendable, Equatable {
  /// The name after two dashes.
  package var long: String
  /// The letter after one dash.
  package var short: Character?
  /// What the value is; a flag has none.
  package var value: ValueSpec?
  /// How often the option is given.
  package var occurrence: Occurrence
  /// One line without a full stop at its end.
  package var help: String
  /// What holds if the option is not given.
  package var defaultValue: String?

  /// How often an option may and must be given.
  package enum Occurrence: Sendable, Equatable {
    /// Once or not at all.
    case optional
    /// Exactly once.
    case required
    /// As often as one likes; the values keep their order.
    case repeated
  }

  /// Makes an option without a value; giving it twice changes nothing.
  package static func flag(_ long: String, short: Character? = nil, help: String) -> OptionSpec {
    OptionSpec(long: long, short: short, value: nil, occurrence: .repeated, help: help, defaultValue: nil)
  }

  /// Makes an option with a value, whose name (`DIR`) stands in help texts.
  package static func value(
    _ long: String,
    short: Character? = nil,
    _ name: String,
    _ kind: ValueKind = .text,
    _ occurrence: Occurrence = .optional,
    default defaultValue: String? = nil,
    help: String
  ) -> OptionSpec {
    OptionSpec(
      long: long,
      short: short,
      value: ValueSpec(name: name, kind: kind),
      occurrence: occurrence,
      help: help,
      defaultValue: defaultValue
    )
  }

  /// Shows the help of the command; every command has it.
  package static let help = OptionSpec.flag("help", short: "h", help: "Show this help and do nothing else")
  /// Shows the version of the program; every command has it.
  package static let version = OptionSpec.flag("version", help: "Show the version and do nothing else")

  /// How the option is written, for example `--root DIR`.
  package var notation: String {
    guard let value else { return "--\(long)" }
    return "--\(long) \(value.name)"
  }
}

/// The value of an option.
package struct ValueSpec: Sendable, Equatable {
  /// What stands for it in help texts, for example `DIR`.
  package var name: String
  /// What is accepted, and how it is completed.
  package var kind: ValueKind
}

/// What a value may be; the parser refuses everything else, and shells complete it.
package enum ValueKind: Sendable, Equatable {
  /// Any text.
  case text
  /// The path of a file.
  case file
  /// The path of a directory.
  case directory
  /// One of these words.
  case choice([String])
  /// One of these words, or the path of a file.
  case choiceOrFile([String])
  /// A whole number in this range.
  case integer(ClosedRange<Int>)
  /// A time such as `500ms`; see ``DurationText``.
  case duration
  /// An amount of memory such as `64MiB`; see ``ByteCount``.
  case byteCount
  /// A name and a value with an equals sign between them.
  case assignment

  /// The words that a shell can offer.
  var words: [String] {
    switch self {
    case .choice(let words), .choiceOrFile(let words): words
    case .text, .file, .directory, .integer, .duration, .byteCount, .assignment: []
    }
  }
}
