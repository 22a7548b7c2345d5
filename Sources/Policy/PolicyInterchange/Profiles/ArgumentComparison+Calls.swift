// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis

extension ArgumentComparison {
  /// Returns the calls for which the comparison is true. A comparison that is not wide ignores the upper half
  /// of the argument.
  func calls(in space: CallSpace, isWide: Bool) throws(AnalysisError) -> CallSet {
    let all: UInt64 = isWide ? .max : 0xFFFF_FFFF
    switch operation {
    case .equal: return try space.argument(index, mask: all, equals: value)
    case .notEqual: return try space.argument(index, mask: all, equals: value).complement()
    case .masked(let mask): return try space.argument(index, mask: mask, equals: value)
    case .anyBit: return try space.argument(index, mask: value, equals: 0).complement()
    case .less: return try below(value, in: space, isWide: isWide)
    case .greaterOrEqual: return try below(value, in: space, isWide: isWide).complement()
    case .lessOrEqual:
      return value == all ? space.everything : try below(value + 1, in: space, isWide: isWide)
    case .greater:
      return value == all ? space.nothing : try below(value + 1, in: space, isWide: isWide).complement()
    }
  }

  /// Returns the calls with an argument less than a value.
  private func below(_ value: UInt64, in space: CallSpace, isWide: Bool) throws(AnalysisError) -> CallSet {
    guard value > 0 else { return space.nothing }
    if isWide { return try space.argument(index, in: 0...value - 1) }
    var set = space.nothing
    for pattern in BitPattern.covering(0...UInt32(value - 1)) {
      let part = try space.argument(index, mask: UInt64(pattern.mask), equals: UInt64(pattern.value))
      set = try set.union(part)
    }
    return set
  }
}
