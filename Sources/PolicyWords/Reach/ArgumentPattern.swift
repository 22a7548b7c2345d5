// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Some of the ways in which a call can be made: of each of its six arguments, which of the lower 32 bits are what.
///
/// It is what a rule of a policy means. Patterns can be cut out of each other, so that what several rules leave over is
/// known exactly.
struct ArgumentPattern: Sendable, Hashable {
  /// The bits of each argument that are decided.
  private(set) var masks: [UInt32]
  /// What they are; the others are zero here.
  private(set) var values: [UInt32]

  /// Every way.
  static let anything = ArgumentPattern(
    masks: Array(repeating: 0, count: 6),
    values: Array(repeating: 0, count: 6)
  )

  private init(masks: [UInt32], values: [UInt32]) {
    self.masks = masks
    self.values = values
  }

  /// The ways in which all conditions hold; nil if two contradict each other.
  init?(_ conditions: [ArgumentCondition]) {
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
  init(stated arguments: [UInt64?]) {
    self = Self.anything
    for (index, argument) in arguments.prefix(6).enumerated() {
      guard let argument else { continue }
      masks[index] = .max
      values[index] = UInt32(truncatingIfNeeded: argument)
    }
  }

  /// Whether some call is made both ways.
  func meets(_ other: ArgumentPattern) -> Bool {
    masks.indices.allSatisfy { (values[$0] ^ other.values[$0]) & masks[$0] & other.masks[$0] == 0 }
  }

  /// The ways that are both; nil if there is none.
  func intersection(_ other: ArgumentPattern) -> ArgumentPattern? {
    guard meets(other) else { return nil }
    return ArgumentPattern(
      masks: zip(masks, other.masks).map { $0 | $1 },
      values: zip(values, other.values).map { $0 | $1 }
    )
  }

  /// The ways that are not the other's: patterns that have nothing in common.
  func subtracting(_ other: ArgumentPattern) -> [ArgumentPattern] {
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

  /// The ways that are none of theirs.
  func subtracting(all others: [ArgumentPattern]) -> [ArgumentPattern] {
    others.reduce([self]) { rest, other in rest.flatMap { $0.subtracting(other) } }
  }

  /// What must hold of the arguments, as a policy writes it.
  var conditions: [ArgumentCondition] {
    masks.indices.filter { masks[$0] != 0 }.map {
      ArgumentCondition(index: $0, mask: masks[$0], value: values[$0])
    }
  }

  /// Arguments with which a call is made in this way; what is not decided is zero.
  var example: [UInt64] { values.map(UInt64.init) }
}
