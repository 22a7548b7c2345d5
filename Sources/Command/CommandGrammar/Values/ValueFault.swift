// SPDX-License-Identifier: Apache-2.0

/// Why a text is not the value that was asked for.
package enum ValueFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// It is none of these words.
  case notAChoice([String], suggestions: [String])
  /// It is no whole number in this range.
  case notAnInteger(ClosedRange<Int>)
  /// It has no number in front, or one that cannot be read.
  case noNumber(example: String)
  /// A unit is missing, and without one the number means nothing.
  case noUnit(units: [String], example: String)
  /// There is a unit, but none that is known.
  case unknownUnit(String, units: [String])
  /// It is finer than what can be counted.
  case tooFine(smallest: String)
  /// It is more than can be counted.
  case tooLarge
  /// There is no name in front of an equals sign.
  case noAssignment
  /// It is empty where a path must stand.
  case empty

  /// What is wrong and how to mend it, as the second half of a sentence about the value.
  package var description: String {
    switch self {
    case .notAChoice(let words, let suggestions):
      "must be one of \(words.joined(separator: ", "))" + Spelling.question(suggestions)
    case .notAnInteger(let range):
      range == 0...Int.max
        ? "must be a whole number"
        : "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .noNumber(let example): "must begin with a number; write, for example, \(example)"
    case .noUnit(let units, let example):
      "has no unit; write, for example, \(example) (units: \(units.joined(separator: ", ")))"
    case .unknownUnit(let unit, let units):
      "has the unknown unit \(Spelling.quoted(unit)); use \(units.joined(separator: ", "))"
    case .tooFine(let smallest): "is finer than \(smallest); give fewer digits"
    case .tooLarge: "is too large"
    case .noAssignment: "must be a name, an equals sign and a value, such as NAME=VALUE"
    case .empty: "must not be empty"
    }
  }
}

extension ValueKind {
  /// What is wrong with a value, or nil if it is accepted.
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
      guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return .noAssignment }
      return nil
    case .duration: return Self.fault { () throws(ValueFault) in _ = try DurationText.parse(text) }
    case .byteCount: return Self.fault { () throws(ValueFault) in _ = try ByteCount(parsing: text) }
    }
  }

  /// The fault that a reading ends with, if it does.
  private static func fault(_ read: () throws(ValueFault) -> Void) -> ValueFault? {
    do {
      try read()
      return nil
    } catch {
      return error
    }
  }
}
