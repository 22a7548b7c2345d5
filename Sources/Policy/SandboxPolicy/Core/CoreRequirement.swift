// SPDX-License-Identifier: Apache-2.0

/// What the argument rules of a call must say for the call to be allowed at all.
package struct CoreRequirement: Sendable, Hashable {
  /// The part of the core that it guards.
  package var area: CoreArea
  /// What must be said of which arguments; all of it.
  package var limits: [Limit]

  /// An argument that must be limited.
  package struct Limit: Sendable, Hashable {
    /// The argument's index.
    package var index: Int
    /// How it must be limited.
    package var kind: Kind

    /// A limit of an argument.
    package init(_ index: Int, _ kind: Kind) {
      self.index = index
      self.kind = kind
    }
  }

  /// How an argument must be limited.
  package enum Kind: Sendable, Hashable {
    /// These bits must be compared, and have one of these values.
    case among(Set<UInt32>, of: UInt32)
    /// All bits must be compared, and the value be none of these.
    case exactlyNot(Set<UInt32>)

    /// All bits must be compared, and have one of these values.
    package static func among(_ values: Set<UInt32>) -> Kind { .among(values, of: .max) }

    /// These bits must be compared, and be zero.
    package static func clear(_ bits: UInt32) -> Kind { .among([0], of: bits) }
  }

  /// A requirement of a part of the core.
  init(_ area: CoreArea, _ limits: Limit...) {
    self.area = area
    self.limits = limits
  }

  /// Whether the conditions limit the arguments enough.
  package func isMet(by conditions: [ArgumentCondition]) -> Bool {
    limits.allSatisfy { limit in conditions.contains(where: limit.isMet) }
  }
}

extension CoreRequirement.Limit {
  /// Whether a condition limits the argument enough.
  fileprivate func isMet(by condition: ArgumentCondition) -> Bool {
    guard condition.index == index else { return false }
    switch kind {
    case .among(let values, let bits):
      return condition.mask & bits == bits && values.contains(condition.value & bits)
    case .exactlyNot(let values): return condition.mask == .max && !values.contains(condition.value)
    }
  }
}

extension CoreRequirement: CustomStringConvertible {
  /// The argument rule to write, in words.
  package var description: String {
    limits.map { "an argument rule with \($0)" }.joined(separator: " and ")
  }
}

extension CoreRequirement.Limit: CustomStringConvertible {
  /// What the argument rule must have, in words.
  package var description: String {
    switch kind {
    case .among(let values, let bits):
      "\"index\": \(index)" + (bits == .max ? "" : ", \"mask\": \(Self.hexadecimal(bits))")
        + (values == [0] ? " and \"equals\": 0" : " and \"equals\" one of \(Self.list(values))")
    case .exactlyNot: "\"index\": \(index) and \"equals\" one harmless request, without a mask"
    }
  }

  private static func hexadecimal(_ value: UInt32) -> String { "\"0x\(String(value, radix: 16))\"" }

  private static func list(_ values: Set<UInt32>) -> String {
    values.sorted().map(hexadecimal).joined(separator: ", ")
  }
}
