// SPDX-License-Identifier: Apache-2.0

/// What follows the options of a command.
package struct ArgumentSpec: Sendable, Equatable {
  /// What stands for it in help texts, for example `PATH`; for a rest of several parts, `PROGRAM [ARG]`.
  package var name: String
  /// One line without a full stop at its end.
  package var help: String
  /// How many words it takes.
  package var cardinality: Cardinality
  /// What each word may be.
  package var kind: ValueKind

  /// How many words an argument takes.
  package enum Cardinality: Sendable, Equatable {
    /// Exactly one.
    case one
    /// One or none.
    case optional
    /// This many or more; no argument but a ``rest(_:atLeast:)`` may follow.
    case many(atLeast: Int)
    /// All remaining words, untouched, options too; it is the last argument.
    case rest(RestStart, atLeast: Int)
  }

  /// Where the words begin that are left untouched.
  package enum RestStart: Sendable, Equatable {
    /// After `--` only.
    case separator
    /// After `--`, or with the first word that is no option and no other argument, as with env(1).
    case firstWord
  }

  /// Makes an argument.
  package init(_ name: String, _ cardinality: Cardinality = .one, _ kind: ValueKind = .text, help: String) {
    self.name = name
    self.help = help
    self.cardinality = cardinality
    self.kind = kind
  }

  /// Where the untouched words begin, if this argument takes them.
  var restStart: RestStart? {
    if case .rest(let start, _) = cardinality { start } else { nil }
  }

  /// The smallest number of words.
  var minimum: Int {
    switch cardinality {
    case .one: 1
    case .optional: 0
    case .many(let minimum), .rest(_, let minimum): minimum
    }
  }

  /// The largest number of words, if there is one.
  var maximum: Int? {
    switch cardinality {
    case .one, .optional: 1
    case .many, .rest: nil
    }
  }

  /// How the argument is written in a usage line.
  package var notation: String {
    let repeated = maximum == nil ? "\(name)..." : name
    let optional = minimum == 0 ? "[\(repeated)]" : repeated
    guard restStart != nil else { return optional }
    return minimum == 0 ? "[-- \(repeated)]" : "-- \(repeated)"
  }
}
