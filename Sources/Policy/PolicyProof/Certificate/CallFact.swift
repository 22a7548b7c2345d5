// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis

/// A set of calls in a form that a checker can compare without diagrams: every part of a call is restricted by itself.
struct CallFact: Hashable {
  /// The architectures, as `AUDIT_ARCH_…`.
  var architectures: [ClosedRange<UInt32>] = [0 ... .max]
  /// The numbers.
  var numbers: [ClosedRange<UInt32>] = [0 ... .max]
  /// The facts about words of `struct seccomp_data` beyond the first two, all of which hold.
  var bits: Set<BitFact> = []
  /// The word in the accumulator, of which other bits than those of the mask are zero; `nil` if that is not known.
  var accumulator: MaskedWord?

  /// A word of `struct seccomp_data`, masked.
  struct MaskedWord: Hashable {
    /// The index of the word.
    var word: Int
    /// The bits that are kept.
    var mask: UInt32
  }

  /// A comparison of some bits of a word.
  struct BitFact: Hashable {
    /// The index of the word.
    var word: Int
    /// The bits.
    var mask: UInt32
    /// Their value.
    var value: UInt32
    /// Whether the bits have the value, or have it not.
    var holds: Bool
  }

  /// Whether the facts contradict each other, so that there is no such call.
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

  /// Returns the calls that are in both; the accumulator is that of this one.
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

  /// Returns ranges as few as possible.
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
  /// Returns what holds where a comparison of the accumulator with a constant is true, or is false.
  ///
  /// Less may be known than is true: a comparison that has no form here restricts nothing.
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

  /// The values for which a comparison is true or false, or `nil` if they are not few ranges.
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
