// SPDX-License-Identifier: Apache-2.0

/// The spec of an option: a flag, or an option with a value.
package struct OptionSpec: Sendable, Equatable {
  /// The name after two dashes.
  package var long: String
  /// The letter after one dash.
  package var short: Character?
  /// The value, or `nil` for a flag.
  package var value: ValueSpec?
  /// The number of times that the option can be given.
  package var occurrence: Occurrence
  /// The help text in the imperative: at most 100 characters, without a final full stop.
  package var help: String
  /// The value if the option is not given.
  package var defaultValue: String?

  /// The number of times that an option can and must be given.
  package enum Occurrence: Sendable, Equatable {
    /// At most once.
    case optional
    /// Exactly once.
    case required
    /// Any number of times. The values keep their order.
    case repeated
  }

  /// Creates an option without a value. A repeated flag has no further effect.
  package static func flag(_ long: String, short: Character? = nil, help: String) -> OptionSpec {
    OptionSpec(long: long, short: short, value: nil, occurrence: .repeated, help: help, defaultValue: nil)
  }

  /// Creates an option with a value. `name` is the placeholder in help texts, such as `DIR`.
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

  /// The flag that prints the help of the command. Every command has this flag.
  package static let help = OptionSpec.flag("help", short: "h", help: "Print this help")
  /// The flag that prints the version of the program. Every command has this flag.
  package static let version = OptionSpec.flag("version", help: "Print the version")

  /// The notation in a usage line, such as `--root DIR`.
  package var notation: String {
    guard let value else { return "--\(long)" }
    return "--\(long) \(value.name)"
  }
}

/// The spec of an option's value.
package struct ValueSpec: Sendable, Equatable {
  /// The placeholder in help texts, such as `DIR`.
  package var name: String
  /// The kind of the value, which determines validation and completion.
  package var kind: ValueKind
}

/// The kind of a value. The parser rejects invalid values, and shells complete valid ones.
package enum ValueKind: Sendable, Equatable {
  /// Any text.
  case text
  /// The path of a file.
  case file
  /// The path of a directory.
  case directory
  /// One of these keywords.
  case choice([String])
  /// One of these keywords, or the path of a file.
  case choiceOrFile([String])
  /// An integer in this range.
  case integer(ClosedRange<Int>)
  /// A duration such as `500ms`; see ``DurationText``.
  case duration
  /// A number of bytes such as `64MiB`; see ``ByteCount``.
  case byteCount
  /// An assignment of the form `NAME=VALUE`.
  case assignment

  /// The keywords that a shell can complete.
  var words: [String] {
    switch self {
    case .choice(let words), .choiceOrFile(let words): words
    case .text, .file, .directory, .integer, .duration, .byteCount, .assignment: []
    }
  }
}
