// SPDX-License-Identifier: Apache-2.0

/// What the argument rules of a call must say for the call to be allowed at all.
package struct CoreRequirement: Sendable, Hashable {
  /// The part of the core that it guards.
  package var area: CoreArea
  /// The argument that must be limited.
  package var index: Int
  /// How it must be limited.
  package var kind: Kind

  /// How an argument must be limited.
  package enum Kind: Sendable, Hashable {
    /// These bits must be compared and be zero.
    case clear(UInt32)
    /// All bits must be compared, and the value be one of these.
    case among(Set<UInt32>)
    /// All bits must be compared, and the value be none of these.
    case exactlyNot(Set<UInt32>)
  }

  /// Whether some condition limits the argument enough.
  package func isMet(by conditions: [ArgumentCondition]) -> Bool {
    conditions.contains { condition in
      guard condition.index == index else { return false }
      switch kind {
      case .clear(let bits): return condition.mask & bits == bits && condition.value & bits == 0
      case .among(let values): return condition.mask == .max && values.contains(condition.value)
      case .exactlyNot(let values): return condition.mask == .max && !values.contains(condition.value)
      }
    }
  }
}

extension CoreRequirement: CustomStringConvertible {
  /// The argument rule to write, in words.
  package var description: String {
    switch kind {
    case .clear(let bits):
      "an argument rule with \"index\": \(index), \"mask\": \"0x\(String(bits, radix: 16))\" and \"equals\": 0"
    case .among(let values):
      "an argument rule with \"index\": \(index) and \"equals\" one of "
        + values.sorted().map { "\"0x\(String($0, radix: 16))\"" }.joined(separator: ", ")
    case .exactlyNot:
      "an argument rule with \"index\": \(index) and \"equals\" one harmless request, without a mask"
    }
  }
}
