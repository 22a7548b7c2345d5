// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// The arguments that a rule lets through: some bits of the lower halves are given, the others may be anything.
struct ArgumentCube: Hashable, Sendable {
  /// The bits that are given, argument by argument.
  private var masks: [UInt32]
  /// What they are; zero where nothing is given.
  private var values: [UInt32]
  /// How many parts a difference may have before the question is given up.
  static let partLimit = 16_384

  /// The arguments of a rule; nil if its conditions contradict each other.
  init?(_ conditions: [ArgumentCondition]) {
    masks = Array(repeating: 0, count: 6)
    values = masks
    for condition in conditions {
      let common = masks[condition.index] & condition.mask
      guard condition.value & ~condition.mask == 0, (values[condition.index] ^ condition.value) & common == 0
      else { return nil }
      masks[condition.index] |= condition.mask
      values[condition.index] |= condition.value
    }
  }

  /// Whether no arguments are in both.
  func isDisjoint(with other: ArgumentCube) -> Bool {
    (0..<6).contains { (index: Int) -> Bool in
      let common: UInt32 = masks[index] & other.masks[index]
      return common & (values[index] ^ other.values[index]) != 0
    }
  }

  /// Whether everything of the other is in this one.
  func contains(_ other: ArgumentCube) -> Bool {
    (0..<6).allSatisfy { (index: Int) -> Bool in
      let isGiven = masks[index] & ~other.masks[index] == 0
      return isGiven && masks[index] & (values[index] ^ other.values[index]) == 0
    }
  }

  /// What of this is not in the other, as parts that have nothing in common.
  func subtracting(_ other: ArgumentCube) -> [ArgumentCube] {
    guard !isDisjoint(with: other) else { return [self] }
    var parts: [ArgumentCube] = []
    var rest = self
    for index in 0..<6 {
      var open = other.masks[index] & ~masks[index]
      while open != 0 {
        let bit = open & (~open &+ 1)
        open &= ~bit
        var part = rest
        part.masks[index] |= bit
        part.values[index] |= ~other.values[index] & bit
        parts.append(part)
        rest.masks[index] |= bit
        rest.values[index] |= other.values[index] & bit
      }
    }
    return parts
  }

  /// Whether everything of this is in one or another of some cubes; false also where that takes too long to know.
  func isCovered(by cubes: [ArgumentCube]) -> Bool {
    var parts = [self]
    for cube in cubes {
      parts = parts.flatMap { $0.subtracting(cube) }
      if parts.isEmpty { return true }
      guard parts.count <= Self.partLimit else { return false }
    }
    return false
  }
}
