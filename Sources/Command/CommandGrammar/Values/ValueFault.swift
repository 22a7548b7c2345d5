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
  package var description: String { problem + (fix.isEmpty ? "" : "; \(fix)") }

  /// The problem, as the predicate of a sentence about the value.
  var problem: String {
    switch self {
    case .notAChoice(let words, _): "is not one of \(words.joined(separator: ", "))"
    case .notAnInteger(let range):
      range == 0...Int.max
        ? "is not a whole number"
        : "is not a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .missingNumber: "does not begin with a number"
    case .missingUnit: "has no unit"
    case .unknownUnit(let unit, _): "has the unknown unit \(Spelling.quoted(unit))"
    case .tooPrecise(let smallest): "is more precise than \(smallest)"
    case .tooLarge: "is too large"
    case .notAnAssignment: "is not an assignment"
    case .empty: "is empty"
    }
  }

  /// The fix, or an empty string if the problem already implies it.
  var fix: String {
    switch self {
    case .notAChoice(_, let suggestions): Spelling.suggestionText(suggestions)
    case .missingNumber(let example): "write, for example, \(example)"
    case .missingUnit(let units, let example):
      "write, for example, \(example) (units: \(units.joined(separator: ", ")))"
    case .unknownUnit(_, let units): "use \(units.joined(separator: ", "))"
    case .tooPrecise: "use fewer digits"
    case .notAnAssignment: "write a name, an equals sign and a value, such as NAME=VALUE"
    case .empty: "write a path"
    case .notAnInteger, .tooLarge: ""
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
