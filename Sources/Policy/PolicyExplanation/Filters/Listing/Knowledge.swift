// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis

/// The dataflow state before an instruction: facts that are true on every path to it.
struct DataflowState: Equatable {
  /// The content of a register or scratch slot.
  enum Content: Equatable {
    /// An unknown value.
    case unknown
    /// A word of `struct seccomp_data`.
    case word(Int)
    /// A word of `struct seccomp_data` under a mask.
    case masked(Int, UInt32)
  }

  /// The possible architectures, or `nil` if there are too many.
  var architectures: Set<UInt32>?
  /// The possible call numbers, or `nil` if there are too many.
  var numbers: Set<UInt32>?
  /// The bounds of the call number.
  var bounds: ClosedRange<UInt32> = 0...(.max)
  /// The content of the accumulator.
  var accumulator = Content.unknown
  /// The content of the index register.
  var index = Content.unknown
  /// The contents of the scratch memory.
  var slots = [Content](repeating: .unknown, count: 16)

  /// The maximum number of possible values that are tracked.
  private static let maximumTrackedValues = 8

  /// Returns the state where two paths join.
  func joined(with other: DataflowState) -> DataflowState {
    var joined = self
    joined.architectures = Self.union(architectures, other.architectures)
    joined.numbers = Self.union(numbers, other.numbers)
    joined.bounds =
      min(bounds.lowerBound, other.bounds.lowerBound)...max(bounds.upperBound, other.bounds.upperBound)
    joined.accumulator = accumulator == other.accumulator ? accumulator : .unknown
    joined.index = index == other.index ? index : .unknown
    joined.slots = zip(slots, other.slots).map { $0 == $1 ? $0 : .unknown }
    return joined
  }

  private static func union(_ one: Set<UInt32>?, _ other: Set<UInt32>?) -> Set<UInt32>? {
    guard let one, let other else { return nil }
    let union = one.union(other)
    return union.count > maximumTrackedValues ? nil : union
  }

  /// The only possible architecture, or `nil` if there are several.
  var architecture: UInt32? { architectures?.count == 1 ? architectures?.first : nil }

  /// The names or numbers of the possible calls, or `nil` if there are too many.
  var calls: [String]? {
    guard let numbers else { return nil }
    return numbers.sorted().map { number in
      architecture.flatMap { CallName.call(number, on: $0) } ?? "\(number)"
    }
  }

  /// Returns the state after a comparison with a result, or `nil` if the result is impossible.
  func after(_ comparison: FilterInstruction.Comparison, _ value: UInt32, isTrue: Bool) -> DataflowState? {
    var after = self
    let holds: (UInt32) -> Bool = { word in
      switch comparison {
      case .equal: (word == value) == isTrue
      case .greater: (word > value) == isTrue
      case .greaterOrEqual: (word >= value) == isTrue
      case .anyBit: (word & value != 0) == isTrue
      }
    }
    let filtered = { (known: Set<UInt32>?) -> Set<UInt32>? in
      if let known { return known.filter(holds) }
      return comparison == .equal && isTrue ? [value] : nil
    }
    switch accumulator {
    case .word(0):
      guard let narrowed = Self.narrowed(bounds, comparison, value, isTrue: isTrue) else { return nil }
      after.bounds = narrowed
      after.numbers = filtered(numbers ?? (narrowed.count > Self.maximumTrackedValues ? nil : Set(narrowed)))
    case .word(1): after.architectures = filtered(architectures)
    default: break
    }
    return after.numbers?.isEmpty == true || after.architectures?.isEmpty == true ? nil : after
  }

  /// Returns the bounds after a comparison, or `nil` if no number remains.
  private static func narrowed(
    _ bounds: ClosedRange<UInt32>,
    _ comparison: FilterInstruction.Comparison,
    _ value: UInt32,
    isTrue: Bool
  ) -> ClosedRange<UInt32>? {
    let least: UInt64 = comparison == .greater ? UInt64(value) + 1 : UInt64(value)
    let range: ClosedRange<UInt64>
    switch (comparison, isTrue) {
    case (.greater, true), (.greaterOrEqual, true): range = least...max(least, UInt64(UInt32.max))
    case (.greater, false), (.greaterOrEqual, false):
      guard least > 0 else { return nil }
      range = 0...least - 1
    case (.equal, true): range = least...least
    case (.equal, false), (.anyBit, _): return bounds
    }
    let whole = UInt64(bounds.lowerBound)...UInt64(bounds.upperBound)
    guard range.overlaps(whole) else { return nil }
    let left = range.clamped(to: whole)
    return UInt32(left.lowerBound)...UInt32(left.upperBound)
  }
}
