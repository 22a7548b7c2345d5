// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import SystemCalls

/// A collector that groups the regions of a difference by call.
struct DifferenceCollector {
  /// The properties that calls of several architectures must share to be one difference.
  private struct Key: Hashable {
    var call: String
    var conditions: [String]
    var isComplete: Bool
    var before: AnswerGroup
    var after: AnswerGroup
  }

  /// The known behavior of the processes that answer calls instead of the old filter.
  let old: Supervision
  /// The known behavior of the processes that answer calls instead of the new filter.
  let new: Supervision

  private var named: [Key: BehaviorDifference] = [:]
  private var others: [BehaviorDifference] = []

  /// The architectures in the tables, with those of this machine first.
  private static let architectures =
    CallArchitecture.ofThisMachine
    + CallArchitecture.allCases.filter { !CallArchitecture.ofThisMachine.contains($0) }

  /// Creates a collector without differences.
  init(old: Supervision, new: Supervision) {
    self.old = old
    self.new = new
  }

  /// All differences: named calls sorted by name, then numbers.
  var differences: [BehaviorDifference] {
    // The sort keys are computed once: there can be 1,000 differences with conditions of thousands of
    // characters each.
    named.map { key, difference in
      (order: (difference.title, difference.architectureText, "\(key.conditions)"), difference: difference)
    }
    .sorted { $0.order < $1.order }.map(\.difference) + others
  }

  /// Adds a region of the calls that have these two answers.
  mutating func add(
    _ region: CallRegion,
    of set: CallSet,
    _ before: AnswerGroup,
    _ after: AnswerGroup
  ) throws(AnalysisError) {
    let direction = BehaviorDifference.Direction(
      permittedBefore: before.permits(under: old),
      permittedAfter: after.permits(under: new)
    )
    let difference = {
      (subject: BehaviorDifference.Subject, token: UInt32, number: UInt32) throws(AnalysisError) in
      BehaviorDifference(
        subject: subject,
        alternatives: region.alternatives,
        isComplete: region.isComplete,
        before: before,
        after: after,
        direction: direction,
        witness: try WitnessSelector(region, set).call(number, on: token)
      )
    }
    if region.isWhole {
      let known = Self.architectures.filter { region.architectures.contains($0.auditArchitecture) }
      let foreign = Self.subtract(Self.architectures.map(\.auditArchitecture), from: region.architectures)
      let token = known.first?.auditArchitecture ?? foreign.first?.lowerBound ?? 0
      others.append(try difference(.everything(known, others: foreign), token, 0))
      return
    }
    for architecture in Self.architectures {
      let token = architecture.auditArchitecture
      guard region.architectures.contains(token) else { continue }
      let table = CallTable.of(architecture)
      for number in table.numbers where region.numbers.contains(number) {
        guard let name = table.name(of: number) else { continue }
        add(try difference(.call(name, [architecture]), token, number), of: name)
      }
      let unnamed = Self.unnamed(region.numbers, table, architecture)
      if let first = unnamed.first {
        others.append(try difference(.numbers(unnamed, architecture), token, first.lowerBound))
      }
    }
    let foreign = Self.subtract(Self.architectures.map(\.auditArchitecture), from: region.architectures)
    if let token = foreign.first?.lowerBound, let number = region.numbers.first?.lowerBound {
      others.append(try difference(.foreign(region.numbers, tokens: foreign), token, number))
    }
  }

  /// Adds a difference of a named call, or merges it with the equal difference on another architecture.
  private mutating func add(_ found: BehaviorDifference, of name: String) {
    let key = Key(
      call: name,
      conditions: found.conditions,
      isComplete: found.isComplete,
      before: found.before,
      after: found.after
    )
    named[key] = named[key].map { Self.merged($0, found) } ?? found
  }

  /// Returns a difference on two architectures as one, with the example of the architecture that is listed
  /// first.
  private static func merged(_ one: BehaviorDifference, _ other: BehaviorDifference) -> BehaviorDifference {
    guard case .call(let name, let first) = one.subject, case .call(_, let second) = other.subject else {
      return one
    }
    let all = architectures.filter { (first + second).contains($0) }
    var merged = all.first == first.first ? one : other
    merged.subject = .call(name, all)
    return merged
  }

  /// Returns the numbers without a call on an architecture.
  private static func unnamed(
    _ ranges: [ClosedRange<UInt32>],
    _ table: CallTable,
    _ architecture: CallArchitecture
  ) -> [ClosedRange<UInt32>] {
    let bit = CallArchitecture.x32Bit
    let own: ClosedRange<UInt32> =
      switch architecture {
      case .x86: 0...bit - 1
      case .x32: bit...UInt32.max
      default: 0...UInt32.max
      }
    let inside = ranges.filter { $0.overlaps(own) }.map { $0.clamped(to: own) }
    return subtract(table.numbers, from: inside)
  }

  /// Returns ranges without some numbers.
  private static func subtract(_ numbers: [UInt32], from ranges: [ClosedRange<UInt32>]) -> [ClosedRange<
    UInt32
  >] {
    var left: [ClosedRange<UInt32>] = []
    let sorted = Set(numbers).sorted()
    for range in ranges {
      var start: UInt64 = UInt64(range.lowerBound)
      for number in sorted where range.contains(number) {
        if UInt64(number) > start { left.append(UInt32(start)...number - 1) }
        start = UInt64(number) + 1
      }
      if start <= UInt64(range.upperBound) { left.append(UInt32(start)...range.upperBound) }
    }
    return left
  }
}

extension CallRegion {
  /// Whether the region contains every call of its architectures.
  fileprivate var isWhole: Bool { numbers == [0...UInt32.max] && alternatives.contains(where: \.isEmpty) }
}

extension [ClosedRange<UInt32>] {
  /// Returns whether a number is in one of the ranges.
  fileprivate func contains(_ number: UInt32) -> Bool { contains { $0.contains(number) } }
}
