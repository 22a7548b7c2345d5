// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis

/// A set of calls that a checker can compare without diagrams: each part of a call is restricted separately.
struct CallFact: Hashable {
  /// The architectures, as `AUDIT_ARCH_…`.
  var architectures: [ClosedRange<UInt32>] = [0 ... .max]
  var numbers: [ClosedRange<UInt32>] = [0 ... .max]
  /// The facts about the words of `struct seccomp_data` after the first two; all of them hold.
  var bits: Set<BitFact> = []
  /// The masked word in the accumulator, or `nil` if the contents are unknown. The bits outside the mask are
  /// zero.
  var accumulator: MaskedWord?

  /// A masked word of `struct seccomp_data`.
  struct MaskedWord: Hashable {
    /// The index of the word.
    var word: Int
    var mask: UInt32
  }

  /// A comparison of some bits of a word.
  struct BitFact: Hashable {
    /// The index of the word.
    var word: Int
    /// The mask of the compared bits.
    var mask: UInt32
    /// The value that the bits are compared with.
    var value: UInt32
    /// Whether the bits have the value; otherwise, they differ from it.
    var holds: Bool
  }

  /// Whether the facts contradict each other, so that the set is empty.
  var isContradictory: Bool {
    if architectures.isEmpty || numbers.isEmpty { return true }
    var known: [Int: (mask: UInt32, value: UInt32)] = [:]
    for fact in bits where fact.holds {
      let old = known[fact.word] ?? (0, 0)
      if (old.value ^ fact.value) & old.mask & fact.mask != 0 { return true }
      known[fact.word] = (old.mask | fact.mask, old.value | fact.value)
    }
    return bits.contains { fact in
      let old = known[fact.word] ?? (0, 0)
      return !fact.holds && fact.mask & ~old.mask == 0 && old.value & fact.mask == fact.value
    }
  }

  /// Returns the calls that are in both sets, with the accumulator of this one.
  func intersection(_ other: CallFact) -> CallFact {
    var result = self
    result.architectures = Self.intersection(architectures, other.architectures)
    result.numbers = Self.intersection(numbers, other.numbers)
    result.bits.formUnion(other.bits)
    return result
  }

  private static func intersection(
    _ one: [ClosedRange<UInt32>],
    _ other: [ClosedRange<UInt32>]
  ) -> [ClosedRange<UInt32>] {
    one.flatMap { range in other.filter { $0.overlaps(range) }.map { $0.clamped(to: range) } }
      .sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Returns the union of ranges, with as few ranges as possible.
  static func union(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var joined: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, last.upperBound == .max || last.upperBound + 1 >= range.lowerBound {
        joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }
}

extension CallFact {
  /// Returns the fact after a comparison of the accumulator with a constant.
  ///
  /// The result may contain more calls than possible: a comparison that this form cannot express restricts
  /// nothing.
  func after(_ comparison: FilterInstruction.Comparison, _ constant: UInt32, isTrue: Bool) -> CallFact {
    guard let accumulator else { return self }
    var result = self
    if accumulator.word < 2 {
      guard accumulator.mask == .max, let range = Self.range(comparison, constant, isTrue) else {
        return self
      }
      if accumulator.word == 0 {
        result.numbers = Self.intersection(numbers, range)
      } else {
        result.architectures = Self.intersection(architectures, range)
      }
      return result
    }
    switch comparison {
    case .equal:
      if constant & ~accumulator.mask != 0 {
        if isTrue { result.numbers = [] }
        return result
      }
      result.bits.insert(
        BitFact(word: accumulator.word, mask: accumulator.mask, value: constant, holds: isTrue)
      )
    case .anyBit:
      result.bits.insert(
        BitFact(word: accumulator.word, mask: accumulator.mask & constant, value: 0, holds: !isTrue)
      )
    case .greater, .greaterOrEqual: break
    }
    return result
  }

  /// Returns the values for which a comparison is true or false, or `nil` if they are not one or two ranges.
  private static func range(
    _ comparison: FilterInstruction.Comparison,
    _ constant: UInt32,
    _ isTrue: Bool
  ) -> [ClosedRange<UInt32>]? {
    let below = constant > 0 ? [0...constant - 1] : []
    let above = constant < .max ? [constant + 1...UInt32.max] : []
    return switch (comparison, isTrue) {
    case (.equal, true): [constant...constant]
    case (.equal, false): below + above
    case (.greater, true): above
    case (.greater, false): [0...constant]
    case (.greaterOrEqual, true): [constant...UInt32.max]
    case (.greaterOrEqual, false): below
    case (.anyBit, _): nil
    }
  }
}
