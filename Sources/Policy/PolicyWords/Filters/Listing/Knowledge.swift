// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis

/// What is certain before an instruction, on every way to it.
struct Knowledge: Equatable {
  /// What a register or slot holds.
  enum Content: Equatable {
    /// Nothing that can be said.
    case unknown
    /// A word of the call.
    case word(Int)
    /// A word of the call, of which only some bits are left.
    case masked(Int, UInt32)
  }

  /// The architectures that are possible; nil if they are many.
  var architectures: Set<UInt32>?
  /// The numbers that are possible; nil if they are many.
  var numbers: Set<UInt32>?
  /// Between which numbers the call's lies.
  var bounds: ClosedRange<UInt32> = 0...(.max)
  /// The accumulator.
  var accumulator = Content.unknown
  /// The index register.
  var index = Content.unknown
  /// The scratch memory.
  var slots = [Content](repeating: .unknown, count: 16)

  /// How many possibilities are followed.
  private static let few = 8

  /// What is certain where two ways meet.
  func joined(with other: Knowledge) -> Knowledge {
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
    return union.count > few ? nil : union
  }

  /// The only architecture that is possible.
  var architecture: UInt32? { architectures?.count == 1 ? architectures?.first : nil }

  /// The names or numbers of the calls that are possible; nil if they are many.
  var calls: [String]? {
    guard let numbers else { return nil }
    return numbers.sorted().map { number in
      architecture.flatMap { CallName.call(number, on: $0) } ?? "\(number)"
    }
  }

  /// What is certain after a test; nil if it cannot come out like that.
  func after(_ comparison: FilterInstruction.Comparison, _ value: UInt32, isTrue: Bool) -> Knowledge? {
    var after = self
    let holds: (UInt32) -> Bool = { word in
      switch comparison {
      case .equal: (word == value) == isTrue
      case .greater: (word > value) == isTrue
      case .greaterOrEqual: (word >= value) == isTrue
      case .anyBit: (word & value != 0) == isTrue
      }
    }
    let meets = { (known: Set<UInt32>?) -> Set<UInt32>? in
      if let known { return known.filter(holds) }
      return comparison == .equal && isTrue ? [value] : nil
    }
    switch accumulator {
    case .word(0):
      guard let narrowed = Self.narrowed(bounds, comparison, value, isTrue: isTrue) else { return nil }
      after.bounds = narrowed
      after.numbers = meets(numbers ?? (narrowed.count > Self.few ? nil : Set(narrowed)))
    case .word(1): after.architectures = meets(architectures)
    default: break
    }
    return after.numbers?.isEmpty == true || after.architectures?.isEmpty == true ? nil : after
  }

  /// The numbers that are left after a test; nil: none.
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
