// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
package import SystemCalls

/// A set of calls for which two filters have the same pair of different answers.
package struct BehaviorDifference: Sendable, Hashable {
  /// The calls.
  package var subject: Subject
  /// The alternatives for the arguments. An alternative without conditions matches any arguments.
  package var alternatives: [[ArgumentConstraint]]
  /// Whether ``alternatives`` is complete, and not only the first of too many alternatives.
  package var isComplete: Bool
  /// The old answer.
  package var before: AnswerGroup
  /// The new answer.
  package var after: AnswerGroup
  /// The meaning of the difference.
  package var direction: Direction
  /// An example of the calls, which was checked against both filters.
  package var witness: SeccompData

  /// A set of calls.
  package enum Subject: Sendable, Hashable {
    /// A named call on some architectures.
    case call(String, [CallArchitecture])
    /// Numbers without a call on an architecture.
    case numbers([ClosedRange<UInt32>], CallArchitecture)
    /// Every call of these architectures, and of some architectures that are not in the tables.
    case everything([CallArchitecture], others: [ClosedRange<UInt32>])
    /// Numbers on architectures that are not in the tables.
    case foreign([ClosedRange<UInt32>], tokens: [ClosedRange<UInt32>])
  }

  /// The meaning of a difference: whether the filter became weaker.
  package enum Direction: String, Sendable, Hashable, CaseIterable {
    /// The call is allowed only by the new filter.
    case weaker
    /// The call is allowed only by the old filter.
    case stricter
    /// Both filters allow or both refuse the call, but with another answer or another supervisor.
    case changed

    /// Creates the direction of a change from whether each of two answers may permit the call.
    init(permittedBefore: Bool, permittedAfter: Bool) {
      self =
        switch (permittedBefore, permittedAfter) {
        case (false, true): .weaker
        case (true, false): .stricter
        default: .changed
        }
    }
  }

  /// The name of the call, or `nil` if it has none.
  package var call: String? {
    if case .call(let name, _) = subject { name } else { nil }
  }

  /// The architecture that determines the names in the description.
  package var architecture: CallArchitecture {
    switch subject {
    case .call(_, let architectures): architectures.first ?? .native
    case .numbers(_, let architecture): architecture
    case .everything(let architectures, _): architectures.first ?? .native
    case .foreign: .native
    }
  }

  /// Whether the difference is about only native calls.
  package var isOnlyNative: Bool {
    if case .call(_, let architectures) = subject { architectures == [.native] } else { false }
  }

  /// Whether the difference applies to all arguments.
  package var isUnconditional: Bool { alternatives.contains(where: \.isEmpty) }

  /// The alternatives as text.
  package var conditions: [String] {
    let text = FilterConditionText(call: call, on: architecture)
    return alternatives.map(text.text)
  }

  /// The name of the call, or the numbers.
  package var title: String {
    switch subject {
    case .call(let name, _): name
    case .numbers(let ranges, _), .foreign(let ranges, _): Self.text(ranges)
    case .everything: "every call"
    }
  }

  /// The architectures as text.
  package var architectureText: String {
    switch subject {
    case .call(_, let architectures): architectures.map(\.rawValue).joined(separator: ", ")
    case .numbers(_, let architecture): architecture.rawValue
    case .everything(let architectures, let others):
      (architectures.map(\.rawValue) + (others.isEmpty ? [] : [Self.foreign(others)])).joined(separator: ", ")
    case .foreign(_, let tokens): Self.foreign(tokens)
    }
  }

  private static func foreign(_ tokens: [ClosedRange<UInt32>]) -> String {
    tokens.count > 4 ? "any other architecture" : "architecture \(text(tokens))"
  }

  /// The maximum number of ranges that are listed.
  private static let maximumListedRanges = 6

  private static func text(_ ranges: [ClosedRange<UInt32>]) -> String {
    let texts = ranges.prefix(maximumListedRanges).map { range in
      let lower = NumberText.plain(UInt64(range.lowerBound))
      return range.count == 1 ? lower : "\(lower)-\(NumberText.plain(UInt64(range.upperBound)))"
    }
    let more =
      ranges.count > maximumListedRanges ? " and \(ranges.count - maximumListedRanges) more ranges" : ""
    return texts.joined(separator: ", ") + more
  }
}
