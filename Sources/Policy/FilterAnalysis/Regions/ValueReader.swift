// SPDX-License-Identifier: Apache-2.0

/// A reader that describes a set of values of one 64-bit field of a call.
struct ValueReader {
  /// The space of the set.
  let space: CallSpace
  /// The index of the field's upper half in the order of the words; the lower half follows.
  let upper: Int

  /// The maximum number of parts of a description before other forms are tried.
  private static let preferredPartLimit = 64

  /// Returns the shortest description: ranges of all bits, ranges of the lower half, or comparisons of bits.
  func description(of set: Node) throws(AnalysisError) -> ValueSet {
    let complement = try space.table.not(set)
    var best: ValueSet?
    for (node, sense) in [(set, ValueSet.Sense.inside), (complement, .outside)] {
      for form in [lowerHalf(node), ranges(node), masked(node, limit: Self.preferredPartLimit)].compactMap(
        \.self
      )
      where best.map({ form.count < $0.form.count }) ?? true {
        best = ValueSet(form: form, sense: sense)
      }
    }
    if let best { return best }
    guard let masked = masked(set, limit: RegionReader.partLimit) else {
      throw .tooManyParts(limit: RegionReader.partLimit)
    }
    return ValueSet(form: masked, sense: .inside)
  }

  /// Returns the set as constraints that all hold: one, or two if "these values, but not those" is shorter.
  ///
  /// One filter often compares the upper half of a 32-bit argument, and another does not.
  func conditions(of set: Node) throws(AnalysisError) -> [ValueSet] {
    let whole = try description(of: set)
    let exits = space.table.exits(of: set, below: first + Int32(BitOrder.wordBits))
    guard whole.form.count > 2, exits.count > 1 else { return [whole] }
    var lower = DecisionTable.emptySet
    for exit in exits { lower = try space.table.or(lower, exit) }
    let rest = try description(of: try space.table.ifThenElse(set, DecisionTable.emptySet, lower))
    let these = try description(of: lower)
    guard rest.form.count + these.form.count < whole.form.count else { return [whole] }
    let sense: ValueSet.Sense = rest.sense == .inside ? .outside : .inside
    return [these, ValueSet(form: rest.form, sense: sense)]
  }

  /// The level of the upper half's highest bit.
  private var first: Int32 { Int32(upper * BitOrder.wordBits) }
  /// The number of bits of the field.
  private static let bits: UInt64 = 64

  /// Returns ranges of the lower half, or `nil` if the upper half matters or there are too many ranges.
  private func lowerHalf(_ set: Node) -> ValueSet.Form? {
    guard space.table.level(set) >= first + Int32(BitOrder.wordBits) else { return nil }
    return intervals(set, bits: 32).map {
      .lowerHalf($0.map { UInt32($0.lowerBound)...UInt32($0.upperBound) })
    }
  }

  /// Returns ranges of all bits, or `nil` if there are too many.
  private func ranges(_ set: Node) -> ValueSet.Form? {
    intervals(set, bits: Self.bits).map { .ranges($0) }
  }

  /// Returns the values of the lowest bits that lead into the set, as ranges, or `nil` if there are too many.
  private func intervals(_ set: Node, bits: UInt64) -> [ClosedRange<UInt64>]? {
    let most: UInt64 = bits == Self.bits ? .max : (1 << bits) - 1
    var ranges: [ClosedRange<UInt64>] = []
    var start: UInt64 = 0
    var count = 0
    while true {
      var node = set
      var free = bits
      while space.table.result(node) == nil {
        let bit = Self.bits - 1 - UInt64(space.table.level(node) - first)
        node = space.table.branch(node, start >> bit & 1 == 1)
        free = bit
      }
      let last = free >= bits ? most : start | ((1 << free) - 1)
      count += 1
      if node == DecisionTable.universalSet {
        if let previous = ranges.last, previous.upperBound + 1 == start {
          ranges[ranges.count - 1] = previous.lowerBound...last
        } else {
          ranges.append(start...last)
        }
      }
      guard ranges.count <= Self.preferredPartLimit, count <= Self.preferredPartLimit * Int(Self.bits) else {
        return nil
      }
      guard last < most else { return ranges }
      start = last + 1
    }
  }

  /// Returns one comparison of bits for each path through the diagram, or `nil` if there are too many.
  private func masked(_ set: Node, limit: Int) -> ValueSet.Form? {
    var values: [ValueSet.MaskedValue] = []
    var pending = [(node: set, mask: UInt64(0), value: UInt64(0))]
    while let (node, mask, value) = pending.popLast() {
      if node == DecisionTable.emptySet { continue }
      if node == DecisionTable.universalSet {
        values.append(ValueSet.MaskedValue(mask: mask, value: value))
        guard values.count <= limit else { return nil }
        continue
      }
      let bit: UInt64 = 1 << (Self.bits - 1 - UInt64(space.table.level(node) - first))
      pending.append((space.table.branch(node, true), mask | bit, value | bit))
      pending.append((space.table.branch(node, false), mask | bit, value))
    }
    return .masked(values)
  }
}
