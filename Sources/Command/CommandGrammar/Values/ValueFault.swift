// SPDX-License-Identifier: Apache-2.0

/// The reason that a text is not a valid value.
package enum ValueFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// The value is not one of the choices.
  case notAChoice([String], suggestions: [String])
  /// The value is not an integer in this range.
  case notAnInteger(ClosedRange<Int>)
  /// The value does not begin with a valid number.
  case missingNumber(example: String)
  /// The value has no unit, and the unit has no default.
  case missingUnit(units: [String], example: String)
  /// The unit is unknown.
  case unknownUnit(String, units: [String])
  /// The value is more precise than the smallest unit.
  case tooPrecise(smallest: String)
  /// The value is too large.
  case tooLarge
  /// The value does not begin with a name and an equals sign.
  case notAnAssignment
  /// The value is empty where a path is required.
  case empty

  /// The problem and its fix, as the predicate of a sentence about the value.
  package var description: String {
    switch self {
    case .notAChoice(let words, let suggestions):
      "must be one of \(words.joined(separator: ", "))" + Spelling.suggestionSuffix(suggestions)
    case .notAnInteger(let range):
      range == 0...Int.max
        ? "must be a whole number"
        : "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .missingNumber(let example): "must begin with a number; write, for example, \(example)"
    case .missingUnit(let units, let example):
      "has no unit; write, for example, \(example) (units: \(units.joined(separator: ", ")))"
    case .unknownUnit(let unit, let units):
      "has the unknown unit \(Spelling.quoted(unit)); use \(units.joined(separator: ", "))"
    case .tooPrecise(let smallest): "is finer than \(smallest); give fewer digits"
    case .tooLarge: "is too large"
    case .notAnAssignment: "must be a name, an equals sign and a value, such as NAME=VALUE"
    case .empty: "must not be empty"
    }
  }
}

extension ValueKind {
  /// Returns the fault in a value, or `nil` if the value is valid.
  func fault(in text: String) -> ValueFault? {
    switch self {
    case .text: return nil
    case .file, .directory, .choiceOrFile: return text.isEmpty ? .empty : nil
    case .choice(let words):
      guard !words.contains(text) else { return nil }
      return .notAChoice(words, suggestions: Spelling.suggestions(for: text, among: words))
    case .integer(let range):
      guard let number = Int(text), range.contains(number) else { return .notAnInteger(range) }
      return nil
    case .assignment:
      guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return .notAnAssignment }
      return nil
    case .duration: return Self.fault { () throws(ValueFault) in _ = try DurationText.parse(text) }
    case .byteCount: return Self.fault { () throws(ValueFault) in _ = try ByteCount(parsing: text) }
    }
  }

  /// Returns the error that a parser throws, or `nil` if it succeeds.
  private static func fault(_ read: () throws(ValueFault) -> Void) -> ValueFault? {
    do {
      try read()
      return nil
    } catch {
      return error
    }
  }
}
