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
    /// These bits must be compared and be zero.
    case clear(UInt32)
    /// All bits must be compared, and the value be one of these.
    case among(Set<UInt32>)
    /// All bits must be compared, and the value be none of these.
    case exactlyNot(Set<UInt32>)
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
    case .clear(let bits): return condition.mask & bits == bits && condition.value & bits == 0
    case .among(let values): return condition.mask == .max && values.contains(condition.value)
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
    case .clear(let bits): "\"index\": \(index), \"mask\": \"0x\(String(bits, radix: 16))\" and \"equals\": 0"
    case .among(let values):
      "\"index\": \(index) and \"equals\" one of "
        + values.sorted().map { "\"0x\(String($0, radix: 16))\"" }.joined(separator: ", ")
    case .exactlyNot: "\"index\": \(index) and \"equals\" one harmless request, without a mask"
    }
  }
}
