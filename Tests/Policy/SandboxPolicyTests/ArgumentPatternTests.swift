// SPDX-License-Identifier: Apache-2.0

import SandboxPolicy
import Testing

@Suite struct ArgumentPatternTests {
  /// A deterministic linear congruential generator.
  struct LinearCongruentialGenerator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  /// Whether a call with these two arguments matches a pattern.
  static func holds(_ pattern: ArgumentPattern, _ first: UInt64, _ second: UInt64) -> Bool {
    pattern.conditions.allSatisfy { $0.holds(for: [first, second, 0, 0, 0, 0]) }
  }

  /// Returns a random pattern of two arguments with three bits each.
  static func random(_ numbers: inout LinearCongruentialGenerator) throws -> ArgumentPattern {
    let conditions = (0..<2).map { index in
      let mask = UInt32.random(in: 0...7, using: &numbers)
      return ArgumentCondition(
        index: index,
        mask: mask,
        value: UInt32.random(in: 0...7, using: &numbers) & mask
      )
    }
    return try #require(ArgumentPattern(conditions))
  }

  @Test func `subtraction and intersection of patterns agree with exhaustive evaluation`() throws {
    var numbers = LinearCongruentialGenerator(state: 7)
    for _ in 0..<100 {
      let (a, b, c) = (
        try Self.random(&numbers), try Self.random(&numbers), try Self.random(&numbers)
      )
      let rest = a.subtracting(all: [b, c]).parts
      let common = a.intersection(b)
      #expect((common != nil) == a.intersects(b))
      for first in UInt64(0)..<8 {
        for second in UInt64(0)..<8 {
          let (inA, inB) = (Self.holds(a, first, second), Self.holds(b, first, second))
          let matching = rest.filter { Self.holds($0, first, second) }.count
          #expect(matching == (inA && !inB && !Self.holds(c, first, second) ? 1 : 0))
          #expect((common.map { Self.holds($0, first, second) } ?? false) == (inA && inB))
        }
      }
    }
  }

  @Test func `subtracting overly complex rules stops at a limit`() throws {
    var numbers = LinearCongruentialGenerator(state: 3)
    let hostile = try (0..<220).map { _ in
      let conditions = (0..<6).shuffled(using: &numbers).prefix(3).map { index in
        let bits = (0..<3).map { _ in UInt32.random(in: 0 ... .max, using: &numbers) }
        let mask = bits[0] & bits[1] & bits[2]
        return ArgumentCondition(
          index: index,
          mask: mask,
          value: UInt32.random(in: 0 ... .max, using: &numbers) & mask
        )
      }
      return try #require(ArgumentPattern(conditions))
    }
    let rest = ArgumentPattern.anything.subtracting(all: hostile, atMost: 1000)
    #expect(!rest.isComplete && !rest.isProvenEmpty && rest.parts.count == 1000)
    #expect(rest.parts.allSatisfy { part in !hostile.contains { $0.intersects(part) } })
    #expect(!ArgumentPattern.anything.isCovered(by: hostile))
    #expect(hostile[7].isCovered(by: hostile))
  }

  @Test func `contradictory conditions match no call`() {
    let (one, two) = (ArgumentCondition(index: 0, value: 1), ArgumentCondition(index: 0, value: 2))
    #expect(ArgumentPattern([one, two]) == nil)
    #expect(ArgumentPattern([ArgumentCondition(index: 0, mask: 1, value: 2)]) == nil)
    #expect(ArgumentPattern([one, one])?.conditions == [one])
    #expect(ArgumentPattern(stated: [nil, 5]).conditions == [ArgumentCondition(index: 1, value: 5)])
  }
}
