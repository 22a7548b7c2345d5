// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// The conditions of one policy rule: for some arguments, the required values of some bits.
struct BitConditions: Hashable, Sendable {
  /// The required bits of each argument that has a condition.
  private(set) var patterns: [Int: BitPattern] = [:]

  /// The maximum number of rules for one rule of another format. More rules would be unreadable.
  static let maximumAlternatives = 256
  /// The maximum number of free bits in a comparison that is expanded value by value.
  private static let maximumFreeBits = 6

  /// Creates an empty set of conditions.
  init() {}

  /// Creates a single condition.
  init(_ index: Int, _ pattern: BitPattern) {
    if pattern.mask != 0 { patterns[index] = pattern }
  }

  /// Returns the conjunction of both sets of conditions, or `nil` if they contradict each other.
  func intersection(_ other: BitConditions) -> BitConditions? {
    var result = self
    for (index, pattern) in other.patterns {
      guard let own = result.patterns[index] else {
        result.patterns[index] = pattern
        continue
      }
      guard (own.value ^ pattern.value) & own.mask & pattern.mask == 0 else { return nil }
      result.patterns[index] = BitPattern(mask: own.mask | pattern.mask, value: own.value | pattern.value)
    }
    return result
  }

  /// Returns the alternatives of a conjunction whose factors each have several alternatives, or `nil` if
  /// there are too many.
  static func product(_ factors: [[BitConditions]]) -> [BitConditions]? {
    var result = [BitConditions()]
    for alternatives in factors {
      guard result.count * alternatives.count <= maximumAlternatives else { return nil }
      result = result.flatMap { first in alternatives.compactMap { first.intersection($0) } }
    }
    var seen: Set<BitConditions> = []
    return result.filter { seen.insert($0).inserted }
  }

  /// Returns one set of conditions for each value of an argument, or only these conditions if there are too
  /// many values.
  func enumerated(of index: Int) -> [BitConditions] {
    guard let pattern = patterns[index], pattern.mask != .max else { return [self] }
    let free = (0..<32).map { UInt32(1) << UInt32($0) }.filter { pattern.mask & $0 == 0 }
    guard free.count <= Self.maximumFreeBits else { return [self] }
    var values = [pattern.value]
    for bit in free { values += values.map { $0 | bit } }
    return values.sorted().map { value in
      var one = self
      one.patterns[index] = BitPattern(mask: .max, value: value)
      return one
    }
  }

  /// The conditions as policy conditions, sorted by argument.
  var argumentConditions: [ArgumentCondition] {
    patterns.sorted { $0.key < $1.key }.map {
      ArgumentCondition(index: $0.key, mask: $0.value.mask, value: $0.value.value)
    }
  }
}
