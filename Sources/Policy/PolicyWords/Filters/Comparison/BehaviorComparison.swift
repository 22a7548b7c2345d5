// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SystemCalls

extension FilterBehavior {
  /// The calls with an answer of a group.
  fileprivate func inputs(answeredBy group: AnswerGroup) throws(AnalysisError) -> CallSet {
    let verdicts = Set(group.verdicts)
    return try inputs { verdicts.contains($0) }
  }
}

/// What a filter does with every call, and what is known of the processes that answer in its place.
package struct SupervisedBehavior {
  /// What the filter returns.
  package var behavior: FilterBehavior
  /// What is known of its supervisor and its tracer.
  package var supervision: Supervision

  /// Creates a pair of the two.
  package init(_ behavior: FilterBehavior, under supervision: Supervision) {
    self.behavior = behavior
    self.supervision = supervision
  }
}

/// What two filters do differently, exactly: calls that are not in it are answered alike.
package struct BehaviorComparison: Sendable {
  /// The differences, named calls first, in the order of names.
  package private(set) var differences: [BehaviorDifference] = []

  /// Whether the filters answer every call alike. This is a proof.
  package var isEqual: Bool { differences.isEmpty }

  /// The differences of one meaning.
  package func differences(_ direction: BehaviorDifference.Direction) -> [BehaviorDifference] {
    differences.filter { $0.direction == direction }
  }

  /// Compares two filters of one space.
  package init(_ old: SupervisedBehavior, _ new: SupervisedBehavior) throws(AnalysisError) {
    guard old.behavior != new.behavior else { return }
    var gathered = DifferenceGathering(old: old.supervision, new: new.supervision)
    let different = try old.behavior.difference(from: new.behavior)
    let newAnswers = AnswerGroup.groups(of: new.behavior.verdicts)
    for before in AnswerGroup.groups(of: old.behavior.verdicts) {
      let inputs = try old.behavior.inputs(answeredBy: before).intersection(different)
      guard !inputs.isEmpty else { continue }
      for after in newAnswers {
        let set = try new.behavior.inputs(answeredBy: after).intersection(inputs)
        guard !set.isEmpty else { continue }
        for region in try set.abridgedRegions(mostWays: Self.mostWays) {
          try gathered.add(region, of: set, before, after)
        }
      }
    }
    differences = gathered.differences
  }

  /// The most ways that are listed for one difference; more of them nobody reads.
  static let mostWays = 64
}
