// SPDX-License-Identifier: Apache-2.0

/// The limits that a rule must put on the arguments of a call for a policy to be able to allow the call.
package struct CoreRequirement: Sendable, Hashable {
  /// The area that the requirement protects.
  package var area: CoreArea
  /// The arguments that must be limited; all limits must be met.
  package var limits: [Limit]

  /// A limit of one argument.
  package struct Limit: Sendable, Hashable {
    /// The argument's index, from 0.
    package var index: Int
    /// The kind of limit.
    package var kind: Kind

    /// Creates a limit of an argument.
    package init(_ index: Int, _ kind: Kind) {
      self.index = index
      self.kind = kind
    }
  }

  /// A kind of limit.
  package enum Kind: Sendable, Hashable {
    /// The bits of the mask must be compared, with one of these values.
    case among(Set<UInt32>, of: UInt32)
    /// All bits must be compared, with a value other than these.
    case noneOf(Set<UInt32>)

    /// Returns the limit that all bits must be compared, with one of these values.
    package static func among(_ values: Set<UInt32>) -> Kind { .among(values, of: .max) }

    /// Returns the limit that these bits must be compared with zero.
    package static func clear(_ bits: UInt32) -> Kind { .among([0], of: bits) }
  }

  /// Creates a requirement of an area.
  init(_ area: CoreArea, _ limits: Limit...) {
    self.area = area
    self.limits = limits
  }

  /// Whether the conditions of a rule meet all limits.
  package func isMet(by conditions: [ArgumentCondition]) -> Bool {
    limits.allSatisfy { limit in conditions.contains(where: limit.isMet) }
  }
}

extension CoreRequirement.Limit {
  /// Whether a condition meets the limit.
  fileprivate func isMet(by condition: ArgumentCondition) -> Bool {
    guard condition.index == index else { return false }
    switch kind {
    case .among(let values, let bits):
      return condition.mask & bits == bits && values.contains(condition.value & bits)
    case .noneOf(let values): return condition.mask == .max && !values.contains(condition.value)
    }
  }
}

extension CoreRequirement: CustomStringConvertible {
  /// The argument rule to write, as text.
  package var description: String {
    limits.map { "an argument rule with \($0)" }.joined(separator: " and ")
  }
}

extension CoreRequirement.Limit: CustomStringConvertible {
  /// The members that the argument rule must have, as text.
  package var description: String {
    switch kind {
    case .among(let values, let bits):
      "\"index\": \(index)" + (bits == .max ? "" : ", \"mask\": \(Self.hexadecimal(bits))")
        + " and \"equals\"\(Self.choice(values))"
    case .noneOf: "\"index\": \(index) and \"equals\" a single harmless request, without a mask"
    }
  }

  private static func hexadecimal(_ value: UInt32) -> String { "\"0x\(String(value, radix: 16))\"" }

  /// Returns the value or the values of "equals", with the words before them.
  private static func choice(_ values: Set<UInt32>) -> String {
    if values == [0] { return ": 0" }
    let list = values.sorted().map(hexadecimal).joined(separator: ", ")
    return values.count == 1 ? ": \(list)" : " one of \(list)"
  }
}
