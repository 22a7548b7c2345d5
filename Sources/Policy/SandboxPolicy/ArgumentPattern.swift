// SPDX-License-Identifier: Apache-2.0

/// Some of the ways in which a call can be made: of each of its six arguments, which of the lower 32 bits are what.
///
/// It is what a rule of a policy means. Patterns can be cut out of each other, so that what several rules leave over is
/// known exactly.
package struct ArgumentPattern: Sendable, Hashable {
  /// The bits of each argument that are decided.
  package private(set) var masks: [UInt32]
  /// What they are; the others are zero here.
  package private(set) var values: [UInt32]

  /// Every way.
  package static let anything = ArgumentPattern(
    masks: Array(repeating: 0, count: 6),
    values: Array(repeating: 0, count: 6)
  )

  private init(masks: [UInt32], values: [UInt32]) {
    self.masks = masks
    self.values = values
  }

  /// The ways in which all conditions hold; nil if two contradict each other.
  package init?(_ conditions: [ArgumentCondition]) {
    var pattern = Self.anything
    for condition in conditions {
      guard condition.value & ~condition.mask == 0,
        (pattern.values[condition.index] ^ condition.value) & pattern.masks[condition.index] & condition.mask
          == 0
      else { return nil }
      pattern.masks[condition.index] |= condition.mask
      pattern.values[condition.index] |= condition.value
    }
    self = pattern
  }

  /// The ways in which a call is made with these arguments; nil stands for any value.
  package init(stated arguments: [UInt64?]) {
    self = Self.anything
    for (index, argument) in arguments.prefix(6).enumerated() {
      guard let argument else { continue }
      masks[index] = .max
      values[index] = UInt32(truncatingIfNeeded: argument)
    }
  }

  /// Whether some call is made both ways.
  package func meets(_ other: ArgumentPattern) -> Bool {
    masks.indices.allSatisfy { (values[$0] ^ other.values[$0]) & masks[$0] & other.masks[$0] == 0 }
  }

  /// The ways that are both; nil if there is none.
  package func intersection(_ other: ArgumentPattern) -> ArgumentPattern? {
    guard meets(other) else { return nil }
    return ArgumentPattern(
      masks: zip(masks, other.masks).map { $0 | $1 },
      values: zip(values, other.values).map { $0 | $1 }
    )
  }

  /// The ways that are not the other's: patterns that have nothing in common.
  package func subtracting(_ other: ArgumentPattern) -> [ArgumentPattern] {
    guard meets(other) else { return [self] }
    var rest: [ArgumentPattern] = []
    var core = self
    for index in masks.indices {
      var open = other.masks[index] & ~masks[index]
      while open != 0 {
        let bit = open & (~open &+ 1)
        open &= ~bit
        // What differs in this bit, and agrees in all before it.
        var differing = core
        differing.masks[index] |= bit
        differing.values[index] |= ~other.values[index] & bit
        rest.append(differing)
        core.masks[index] |= bit
        core.values[index] |= other.values[index] & bit
      }
    }
    return rest
  }

  /// What is left of some ways when others are cut out of them.
  package struct Remainder: Sendable, Hashable {
    /// Ways that are left, which have nothing in common.
    package var parts: [ArgumentPattern]
    /// Whether these are all; there can be more ways than anybody could list.
    package var isComplete: Bool

    /// Whether it is known that nothing is left.
    package var isNothing: Bool { isComplete && parts.isEmpty }
  }

  /// How many parts of a remainder are listed.
  private static let partLimit = 16_384
  /// How many cuts are made to find them. A policy is anybody's text, and some rules leave more over than fits anywhere.
  private static let cutLimit = 1 << 18

  /// The ways that are none of theirs, so many at most.
  package func subtracting(all others: [ArgumentPattern], atMost limit: Int = partLimit) -> Remainder {
    var parts: [ArgumentPattern] = []
    var waiting = [(pattern: self, next: 0)]
    var cuts = 0
    while let (pattern, next) = waiting.popLast() {
      guard let other = others[next...].firstIndex(where: pattern.meets) else {
        guard parts.count < limit else { return Remainder(parts: parts, isComplete: false) }
        parts.append(pattern)
        continue
      }
      cuts += 1
      guard cuts <= Self.cutLimit else { return Remainder(parts: parts, isComplete: false) }
      waiting += pattern.subtracting(others[other]).reversed().map { ($0, other + 1) }
    }
    return Remainder(parts: parts, isComplete: true)
  }

  /// Whether every way of the other is one of these.
  package func contains(_ other: ArgumentPattern) -> Bool {
    masks.indices.allSatisfy { index in
      masks[index] & ~other.masks[index] == 0 && (values[index] ^ other.values[index]) & masks[index] == 0
    }
  }

  /// Whether every way is one of theirs; false also where that takes too long to know.
  package func isCovered(by others: [ArgumentPattern]) -> Bool {
    subtracting(all: others, atMost: 0).isNothing
  }

  /// What must hold of the arguments, as a policy writes it.
  package var conditions: [ArgumentCondition] {
    masks.indices.filter { masks[$0] != 0 }.map {
      ArgumentCondition(index: $0, mask: masks[$0], value: values[$0])
    }
  }

  /// Arguments with which a call is made in this way; what is not decided is zero.
  package var example: [UInt64] { values.map(UInt64.init) }
}
