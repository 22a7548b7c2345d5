// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension PolicyReader {
  /// Returns a quantity with a unit, or `nil` after reporting that it is malformed or outside its range.
  mutating func quantity(
    _ node: JSONNode,
    _ keyPath: String,
    _ unit: LimitName.Unit,
    in range: ClosedRange<Int>
  ) -> Sourced<Int>? {
    let value: Int
    switch node.kind {
    case .integer(let number):
      value = Int(number)
    case .string(let text):
      guard let read = Self.quantity(text, unit) else {
        report(.invalidQuantity(text, unit), in: node, keyPath)
        return nil
      }
      value = read
    default:
      reportWrongKind(.quantity, node, keyPath)
      return nil
    }
    guard range.contains(value) else {
      report(.outOfRange(value, range, unit), in: node, keyPath)
      return nil
    }
    return Sourced(value, origin(node))
  }

  /// Returns the limits of `limits`.
  mutating func limits(_ node: JSONNode?, _ keyPath: String) -> [LimitName: Sourced<Int>] {
    guard let node, let members = members(node, keyPath, as: LimitName.self) else { return [:] }
    var limits: [LimitName: Sourced<Int>] = [:]
    for name in LimitName.allCases {
      guard let node = members[name] else { continue }
      limits[name] = quantity(node, "\(keyPath).\(name.rawValue)", name.unit, in: name.range)
    }
    return limits
  }

  /// Returns the size of `scratch`.
  mutating func scratch(_ node: JSONNode?, _ keyPath: String) -> Sourced<Int>? {
    guard let node, let members = members(node, keyPath, as: PolicyKeys.Scratch.self) else { return nil }
    guard let size = members[.size] else {
      report(.missingKey("size"), in: node, keyPath)
      return nil
    }
    return quantity(size, "\(keyPath).size", .bytes, in: ResolvedPolicy.scratchRange)
  }

  /// Returns the value of a number with a unit, or `nil` if the text is malformed or the value overflows.
  private static func quantity(_ text: String, _ unit: LimitName.Unit) -> Int? {
    let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let suffix = String(text[digits.endIndex...])
    guard let number = Int(text[..<digits.endIndex]), let factor = factor(suffix, unit) else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: factor)
    return overflow ? nil : product
  }

  /// Returns the factor of a unit, or `nil` if the unit is unknown.
  private static func factor(_ suffix: String, _ unit: LimitName.Unit) -> Int? {
    switch (unit, suffix) {
    case (_, ""), (.bytes, "B"), (.seconds, "s"): 1
    case (.bytes, "KiB"): 1 << 10
    case (.bytes, "MiB"): 1 << 20
    case (.bytes, "GiB"): 1 << 30
    case (.bytes, "TiB"): 1 << 40
    case (.seconds, "m"): 60
    case (.seconds, "h"): 3600
    default: nil
    }
  }
}
