// SPDX-License-Identifier: Apache-2.0

extension BackwardAssembly {
  /// Emits a comparison of an argument, and returns its first instruction. A comparison that is not wide
  /// ignores the upper half.
  mutating func compare(_ comparison: ArgumentComparison, isWide: Bool, yes: Label, no: Label) -> Label {
    let value = comparison.value
    switch comparison.operation {
    case .equal: return compareBits(comparison, .max, isWide, yes, no)
    case .notEqual: return compareBits(comparison, .max, isWide, no, yes)
    case .masked(let mask): return compareBits(comparison, mask, isWide, yes, no)
    case .anyBit:
      let upper = UInt32(value >> 32)
      let low = test(.anyBit, UInt32(truncatingIfNeeded: value), yes: yes, no: no)
      let lower = load(.lower(comparison.index), then: low)
      guard isWide, upper != 0 else { return lower }
      let high = test(.anyBit, upper, yes: yes, no: lower)
      return load(.upper(comparison.index), then: high)
    case .greater: return compareOrder(comparison, .greater, isWide, yes, no)
    case .greaterOrEqual: return compareOrder(comparison, .greaterOrEqual, isWide, yes, no)
    case .lessOrEqual: return compareOrder(comparison, .greater, isWide, no, yes)
    case .less: return compareOrder(comparison, .greaterOrEqual, isWide, no, yes)
    }
  }

  /// Emits a comparison for equality of the bits in a mask.
  private mutating func compareBits(
    _ comparison: ArgumentComparison,
    _ mask: UInt64,
    _ isWide: Bool,
    _ yes: Label,
    _ no: Label
  ) -> Label {
    let value = comparison.value
    let lower = compareHalf(
      .lower(comparison.index),
      UInt32(truncatingIfNeeded: mask),
      UInt32(truncatingIfNeeded: value),
      yes,
      no
    )
    guard isWide else { return lower }
    return compareHalf(.upper(comparison.index), UInt32(mask >> 32), UInt32(value >> 32), lower, no)
  }

  /// Emits a comparison for equality of the bits of one half.
  private mutating func compareHalf(
    _ field: Field,
    _ mask: UInt32,
    _ value: UInt32,
    _ yes: Label,
    _ no: Label
  )
    -> Label
  {
    guard mask != 0 else { return yes }
    let tested = test(.equal, value, yes: yes, no: no)
    return load(field, then: mask == .max ? tested : self.mask(mask, then: tested))
  }

  /// Emits an unsigned comparison for order. `test` compares the lower halves if the upper halves are equal.
  private mutating func compareOrder(
    _ comparison: ArgumentComparison,
    _ test: Test,
    _ isWide: Bool,
    _ yes: Label,
    _ no: Label
  ) -> Label {
    let low = self.test(test, UInt32(truncatingIfNeeded: comparison.value), yes: yes, no: no)
    let lower = load(.lower(comparison.index), then: low)
    guard isWide else { return lower }
    let upper = UInt32(comparison.value >> 32)
    let same = self.test(.equal, upper, yes: lower, no: no)
    let high = self.test(.greater, upper, yes: yes, no: same)
    return load(.upper(comparison.index), then: high)
  }
}
