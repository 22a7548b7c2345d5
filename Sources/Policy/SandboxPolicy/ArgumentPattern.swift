// SPDX-License-Identifier: Apache-2.0

/// A set of argument values of a system call, given by fixed bits of its six arguments.
///
/// Only the lower 32 bits of each argument are considered. A pattern is the meaning of a policy rule.
/// Patterns can be subtracted from each other, so the calls that several rules leave over are known exactly.
package struct ArgumentPattern: Sendable, Hashable {
  /// For each argument, the mask of the bits that are fixed.
  package private(set) var masks: [UInt32]
  /// For each argument, the values of the fixed bits; all other bits are zero.
  package private(set) var values: [UInt32]

  /// The pattern that matches all arguments.
  package static let anything = ArgumentPattern(
    masks: Array(repeating: 0, count: 6),
    values: Array(repeating: 0, count: 6)
  )

  private init(masks: [UInt32], values: [UInt32]) {
    self.masks = masks
    self.values = values
  }

  /// Creates the pattern of the calls that fulfill all conditions, or returns `nil` if two conditions
  /// contradict each other.
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

  /// Creates the pattern of the calls with the given arguments. An argument that is `nil` can have any value.
  package init(stated arguments: [UInt64?]) {
    self = Self.anything
    for (index, argument) in arguments.prefix(6).enumerated() {
      guard let argument else { continue }
      masks[index] = .max
      values[index] = UInt32(truncatingIfNeeded: argument)
    }
  }

  /// Whether at least one call matches both patterns.
  package func intersects(_ other: ArgumentPattern) -> Bool {
    masks.indices.allSatisfy { (values[$0] ^ other.values[$0]) & masks[$0] & other.masks[$0] == 0 }
  }

  /// Returns the pattern of the calls that match both patterns, or `nil` if no call does.
  package func intersection(_ other: ArgumentPattern) -> ArgumentPattern? {
    guard intersects(other) else { return nil }
    return ArgumentPattern(
      masks: zip(masks, other.masks).map { $0 | $1 },
      values: zip(values, other.values).map { $0 | $1 }
    )
  }

  /// Returns disjoint patterns of the calls that match this pattern and not the other one.
  package func subtracting(_ other: ArgumentPattern) -> [ArgumentPattern] {
    guard intersects(other) else { return [self] }
    var rest: [ArgumentPattern] = []
    var core = self
    for index in masks.indices {
      var undecided = other.masks[index] & ~masks[index]
      while undecided != 0 {
        let bit = undecided & (~undecided &+ 1)
        undecided &= ~bit
        // This part differs in the current bit and agrees in all earlier ones, so the parts are disjoint.
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

  /// The result of subtracting patterns from a pattern.
  package struct Remainder: Sendable, Hashable {
    /// Disjoint patterns of the calls that remain.
    package var parts: [ArgumentPattern]
    /// Whether `parts` contains all remaining calls; otherwise, a limit was reached.
    package var isComplete: Bool

    /// Whether no call is known to remain.
    package var isProvenEmpty: Bool { isComplete && parts.isEmpty }
  }

  /// The maximum number of parts of a remainder.
  private static let partLimit = 16_384
  /// The maximum number of subtractions. A policy is untrusted input, and the remainder of some rules has
  /// exponentially many parts.
  private static let cutLimit = 1 << 18

  /// Returns the calls that match this pattern and none of the others.
  ///
  /// The result has at most `limit` parts, and is incomplete if there are more.
  package func subtracting(all others: [ArgumentPattern], atMost limit: Int = partLimit) -> Remainder {
    var parts: [ArgumentPattern] = []
    var pending = [(pattern: self, next: 0)]
    var cuts = 0
    while let (pattern, next) = pending.popLast() {
      guard let other = others[next...].firstIndex(where: pattern.intersects) else {
        guard parts.count < limit else { return Remainder(parts: parts, isComplete: false) }
        parts.append(pattern)
        continue
      }
      cuts += 1
      guard cuts <= Self.cutLimit else { return Remainder(parts: parts, isComplete: false) }
      pending += pattern.subtracting(others[other]).reversed().map { ($0, other + 1) }
    }
    return Remainder(parts: parts, isComplete: true)
  }

  /// Whether every call that matches the other pattern matches this one, too.
  package func contains(_ other: ArgumentPattern) -> Bool {
    masks.indices.allSatisfy { index in
      masks[index] & ~other.masks[index] == 0 && (values[index] ^ other.values[index]) & masks[index] == 0
    }
  }

  /// Whether every call that matches this pattern matches one of the others. The result is also `false` if a
  /// limit was reached.
  package func isCovered(by others: [ArgumentPattern]) -> Bool {
    subtracting(all: others, atMost: 0).isProvenEmpty
  }

  /// The conditions of a policy rule with this meaning.
  package var conditions: [ArgumentCondition] {
    masks.indices.filter { masks[$0] != 0 }.map {
      ArgumentCondition(index: $0, mask: masks[$0], value: values[$0])
    }
  }

  /// The arguments of a call that matches the pattern; bits that are not fixed are zero.
  package var example: [UInt64] { values.map(UInt64.init) }
}
