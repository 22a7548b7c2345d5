// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Conditions of one rule of a policy: of some arguments, some bits.
struct BitConditions: Hashable, Sendable {
  /// The bits of each argument that has a condition.
  private(set) var patterns: [Int: BitPattern] = [:]

  /// The most rules that one rule of another format becomes; more than that nobody reads.
  static let mostAlternatives = 256
  /// The most bits that may be open in a comparison that is written out value by value.
  private static let mostFreeBits = 6

  /// No condition.
  init() {}

  /// One condition.
  init(_ index: Int, _ pattern: BitPattern) {
    if pattern.mask != 0 { patterns[index] = pattern }
  }

  /// What holds where both hold; nil: that is nowhere.
  func and(_ other: BitConditions) -> BitConditions? {
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

  /// The ways in which all of several things hold, each of which holds in several ways; nil: there are too many.
  static func product(_ factors: [[BitConditions]]) -> [BitConditions]? {
    var result = [BitConditions()]
    for ways in factors {
      guard result.count * ways.count <= mostAlternatives else { return nil }
      result = result.flatMap { first in ways.compactMap { first.and($0) } }
    }
    var seen: Set<BitConditions> = []
    return result.filter { seen.insert($0).inserted }
  }

  /// The same with every value of an argument by itself; the conditions as they are where there are too many.
  func values(of index: Int) -> [BitConditions] {
    guard let pattern = patterns[index], pattern.mask != .max else { return [self] }
    let free = (0..<32).map { UInt32(1) << UInt32($0) }.filter { pattern.mask & $0 == 0 }
    guard free.count <= Self.mostFreeBits else { return [self] }
    var values = [pattern.value]
    for bit in free { values += values.map { $0 | bit } }
    return values.sorted().map { value in
      var one = self
      one.patterns[index] = BitPattern(mask: .max, value: value)
      return one
    }
  }

  /// The conditions as a policy has them, in the order of the arguments.
  var ofPolicy: [ArgumentCondition] {
    patterns.sorted { $0.key < $1.key }.map {
      ArgumentCondition(index: $0.key, mask: $0.value.mask, value: $0.value.value)
    }
  }
}
