// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
package import SystemCalls

/// Calls that two filters answer differently, in the same way.
package struct BehaviorDifference: Sendable, Hashable {
  /// The calls.
  package var subject: Subject
  /// The ways in which the arguments make them differ; one without conditions is any arguments.
  package var alternatives: [[ArgumentConstraint]]
  /// Whether ``alternatives`` are all ways, and not only the first of too many to read.
  package var isComplete: Bool
  /// The old answer.
  package var before: AnswerGroup
  /// The new answer.
  package var after: AnswerGroup
  /// What the difference means.
  package var direction: Direction
  /// One of the calls: both filters were asked about it.
  package var witness: CallInput

  /// Which calls they are.
  package enum Subject: Sendable, Hashable {
    /// A call by its name, on these architectures.
    case call(String, [CallArchitecture])
    /// Numbers that mean nothing on an architecture.
    case numbers([ClosedRange<UInt32>], CallArchitecture)
    /// Every call of these architectures, and of those that the tables do not know.
    case everything([CallArchitecture], others: [ClosedRange<UInt32>])
    /// Numbers on architectures that the tables do not know.
    case foreign([ClosedRange<UInt32>], tokens: [ClosedRange<UInt32>])
  }

  /// What the difference means for who wants to know whether a filter became weaker.
  package enum Direction: String, Sendable, Hashable, CaseIterable {
    /// The call may be made now, and could not be before.
    case weaker
    /// It could be made before.
    case stricter
    /// It can be made or not, as before, but is answered or watched in another way.
    case changed

    /// Creates the direction of a change between two answers, of which each may be permitted.
    init(permittedBefore: Bool, permittedAfter: Bool) {
      self =
        switch (permittedBefore, permittedAfter) {
        case (false, true): .weaker
        case (true, false): .stricter
        default: .changed
        }
    }
  }

  /// The call's name; nil if there is none.
  package var call: String? {
    if case .call(let name, _) = subject { name } else { nil }
  }

  /// The architecture whose words describe it.
  package var architecture: CallArchitecture {
    switch subject {
    case .call(_, let architectures): architectures.first ?? .native
    case .numbers(_, let architecture): architecture
    case .everything(let architectures, _): architectures.first ?? .native
    case .foreign: .native
    }
  }

  /// Whether it is about this machine's own calls and no others.
  package var isOnlyNative: Bool {
    if case .call(_, let architectures) = subject { architectures == [.native] } else { false }
  }

  /// Whether it does not depend on the arguments.
  package var isUnconditional: Bool { alternatives.contains(where: \.isEmpty) }

  /// The ways in words.
  package var conditions: [String] {
    let text = FilterConditionText(call: call, on: architecture)
    return alternatives.map(text.text)
  }

  /// The call by name, or the numbers.
  package var title: String {
    switch subject {
    case .call(let name, _): name
    case .numbers(let ranges, _), .foreign(let ranges, _): Self.text(ranges)
    case .everything: "every call"
    }
  }

  /// Where.
  package var place: String {
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

  /// How many ranges are named before the rest is only counted.
  private static let readable = 6

  private static func text(_ ranges: [ClosedRange<UInt32>]) -> String {
    let texts = ranges.prefix(readable).map { range in
      let lower = NumberText.plain(UInt64(range.lowerBound))
      return range.count == 1 ? lower : "\(lower)-\(NumberText.plain(UInt64(range.upperBound)))"
    }
    let more = ranges.count > readable ? " and \(ranges.count - readable) more ranges" : ""
    return texts.joined(separator: ", ") + more
  }
}
