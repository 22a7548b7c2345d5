// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis

/// A translator from conditions on one argument to alternatives that policies can express, in which the
/// masked lower half equals a value.
///
/// The translation never allows more than the original, except in the upper half of an argument that the
/// kernel does not read (``KernelWidths``). A condition that policies cannot express allows nothing.
struct BitConditionTranslator {
  /// The index of the argument.
  var index: Int
  /// Whether the kernel reads only the lower half of the argument.
  var isNarrow: Bool

  /// Creates a translator for an argument of a call.
  init(_ call: String, _ index: Int) {
    self.index = index
    isNarrow = KernelWidths.isNarrow(call, index)
  }

  /// Returns the conditions that together allow the values for which a comparison is true.
  func alternatives(_ comparison: ArgumentComparison) -> [BitConditions] {
    let value = comparison.value
    switch comparison.operation {
    case .equal: return masked(.max, value)
    case .masked(let mask): return masked(mask, value)
    case .notEqual: return differing(.max, value)
    case .anyBit: return differing(value, 0)
    case .less: return value == 0 ? [] : within(0...value - 1)
    case .lessOrEqual: return within(0...value)
    case .greater: return value == .max ? [] : within(value + 1 ... .max)
    case .greaterOrEqual: return within(value ... .max)
    }
  }

  /// Returns the conditions that together allow a set of values, or `nil` if more conditions than supported are
  /// necessary.
  func alternatives(_ set: ValueSet) -> [BitConditions]? {
    switch (set.form, set.sense) {
    case (.masked(let values), .inside): return values.flatMap { masked($0.mask, $0.value) }
    case (.masked(let values), .outside):
      return BitConditions.product(values.map { differing($0.mask, $0.value) })
    case (.ranges(let ranges), .inside): return ranges.flatMap(within)
    case (.ranges(let ranges), .outside): return Self.gaps(ranges).flatMap(within)
    case (.lowerHalf(let ranges), .inside): return ranges.flatMap(lower)
    case (.lowerHalf(let ranges), .outside): return Self.gaps(ranges).flatMap(lower)
    }
  }

  /// Returns the alternative in which masked bits equal a value, or an empty array if a policy cannot express
  /// it.
  private func masked(_ mask: UInt64, _ value: UInt64) -> [BitConditions] {
    guard value & ~mask == 0 else { return [] }
    // If the kernel does not read the upper half, its bits count as zero. Otherwise they are unknown.
    if mask >> 32 != 0, !isNarrow || value >> 32 != 0 { return [] }
    let pattern = BitPattern(
      mask: UInt32(truncatingIfNeeded: mask),
      value: UInt32(truncatingIfNeeded: value)
    )
    return [BitConditions(index, pattern)]
  }

  /// Returns the alternatives in which masked bits differ from a value: one for each bit of the lower half.
  private func differing(_ mask: UInt64, _ value: UInt64) -> [BitConditions] {
    guard value & ~mask == 0 else { return [BitConditions()] }
    if isNarrow, value >> 32 != 0 { return [BitConditions()] }
    return (0..<32).filter { mask >> UInt64($0) & 1 == 1 }.map { location in
      let bit: UInt32 = 1 << UInt32(location)
      let isSet = value >> UInt64(location) & 1 == 1
      return BitConditions(index, BitPattern(mask: bit, value: isSet ? 0 : bit))
    }
  }

  /// Returns the alternatives in which the whole argument is in a range.
  private func within(_ range: ClosedRange<UInt64>) -> [BitConditions] {
    if range == 0 ... .max { return [BitConditions()] }
    guard isNarrow, range.lowerBound >> 32 == 0 else { return [] }
    return lower(UInt32(range.lowerBound)...UInt32(min(range.upperBound, 0xFFFF_FFFF)))
  }

  /// Returns the alternatives in which the lower half is in a range.
  private func lower(_ range: ClosedRange<UInt32>) -> [BitConditions] {
    BitPattern.covering(range).map { BitConditions(index, $0) }
  }

  /// Returns the gaps between ranges.
  private static func gaps<Number: FixedWidthInteger>(_ ranges: [ClosedRange<Number>]) -> [ClosedRange<
    Number
  >] {
    var gaps: [ClosedRange<Number>] = []
    var next: Number? = .min
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let start = next, start < range.lowerBound { gaps.append(start...range.lowerBound - 1) }
      next = range.upperBound == .max ? nil : range.upperBound + 1
    }
    if let start = next { gaps.append(start ... .max) }
    return gaps
  }
}
