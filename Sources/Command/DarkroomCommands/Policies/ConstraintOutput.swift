// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import JSONText

/// The JSON output of conditions on the parts of a call.
enum ConstraintOutput {
  /// Returns a condition as JSON: the part of the call, and the values that match or do not match.
  static func json(_ constraint: ArgumentConstraint) -> JSONValue {
    let field: JSONValue.Member =
      switch constraint.field {
      case .argument(let index): .init("argument", .integer(Int64(index)))
      case .instructionPointer: .init("field", "instructionPointer")
      }
    return .object([
      field, .init("is", constraint.values.sense == .inside ? "anyOf" : "noneOf"),
      values(constraint.values.form),
    ])
  }

  /// Returns the values in the form in which the filter compares them.
  private static func values(_ form: ValueSet.Form) -> JSONValue.Member {
    switch form {
    case .ranges(let ranges):
      .init("ranges", .array(ranges.map { range($0.lowerBound, $0.upperBound) }))
    case .lowerHalf(let ranges):
      .init("lowerHalfRanges", .array(ranges.map { range(UInt64($0.lowerBound), UInt64($0.upperBound)) }))
    case .masked(let values):
      .init(
        "masked",
        .array(
          values.map { ["mask": .string(hexadecimal($0.mask)), "equals": .string(hexadecimal($0.value))] }
        )
      )
    }
  }

  private static func range(_ from: UInt64, _ to: UInt64) -> JSONValue {
    ["from": .string(hexadecimal(from)), "to": .string(hexadecimal(to))]
  }

  private static func hexadecimal(_ value: UInt64) -> String { "0x\(String(value, radix: 16))" }
}
