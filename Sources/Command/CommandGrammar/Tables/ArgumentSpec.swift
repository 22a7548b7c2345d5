// SPDX-License-Identifier: Apache-2.0

/// The spec of a positional argument.
package struct ArgumentSpec: Sendable, Equatable {
  /// The placeholder in help texts, such as `PATH`. A rest argument can have several parts, such as `PROGRAM
  /// [ARG]`.
  package var name: String
  /// The help text: one line without a final full stop.
  package var help: String
  /// The number of values.
  package var cardinality: Cardinality
  /// The kind of each value.
  package var kind: ValueKind

  /// The number of values that an argument takes.
  package enum Cardinality: Sendable, Equatable {
    /// Exactly one value.
    case one
    /// One value or none.
    case optional
    /// At least this many values. Only a ``rest(_:atLeast:)`` argument can follow.
    case many(atLeast: Int)
    /// All remaining arguments, including options, without interpretation. Only the last argument can have
    /// this cardinality.
    case rest(RestStart, atLeast: Int)
  }

  /// The place where the rest argument begins.
  package enum RestStart: Sendable, Equatable {
    /// After `--` only.
    case separator
    /// After `--`, or at the first argument that is neither an option nor the value of another argument, as
    /// with env(1).
    case firstWord
  }

  /// Creates the spec of an argument.
  package init(_ name: String, _ cardinality: Cardinality = .one, _ kind: ValueKind = .text, help: String) {
    self.name = name
    self.help = help
    self.cardinality = cardinality
    self.kind = kind
  }

  /// The place where the rest argument begins, or `nil` if this is not a rest argument.
  var restStart: RestStart? {
    if case .rest(let start, _) = cardinality { start } else { nil }
  }

  /// The minimum number of values.
  var minimum: Int {
    switch cardinality {
    case .one: 1
    case .optional: 0
    case .many(let minimum), .rest(_, let minimum): minimum
    }
  }

  /// The maximum number of values, or `nil` if it is unlimited.
  var maximum: Int? {
    switch cardinality {
    case .one, .optional: 1
    case .many, .rest: nil
    }
  }

  /// The notation in a usage line.
  package var notation: String {
    let repeated = maximum == nil ? "\(name)..." : name
    let optional = minimum == 0 ? "[\(repeated)]" : repeated
    guard restStart != nil else { return optional }
    return minimum == 0 ? "[-- \(repeated)]" : "-- \(repeated)"
  }
}
