// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SystemCalls

extension FilterBehavior {
  /// Returns the calls with an answer in a group.
  fileprivate func inputs(answeredBy group: AnswerGroup) throws(AnalysisError) -> CallSet {
    let verdicts = Set(group.verdicts)
    return try inputs { verdicts.contains($0) }
  }
}

/// The behavior of a filter, and the known behavior of the processes that answer calls instead of the filter.
package struct SupervisedBehavior {
  /// The verdicts of the filter.
  package var behavior: FilterBehavior
  /// The known behavior of its supervisor and tracer.
  package var supervision: Supervision

  /// Creates a supervised behavior.
  package init(_ behavior: FilterBehavior, under supervision: Supervision) {
    self.behavior = behavior
    self.supervision = supervision
  }
}

/// The exact differences between two filters: all other calls have equal answers.
package struct BehaviorComparison: Sendable {
  /// The differences, with named calls first and sorted by name.
  package private(set) var differences: [BehaviorDifference] = []

  /// Whether the filters are proved to answer every call equally.
  package var isEqual: Bool { differences.isEmpty }

  /// Returns the differences with one direction.
  package func differences(_ direction: BehaviorDifference.Direction) -> [BehaviorDifference] {
    differences.filter { $0.direction == direction }
  }

  /// Creates the comparison of two filters in the same space.
  ///
  /// - Throws: ``AnalysisError`` if the analysis exceeds its limits.
  package init(_ old: SupervisedBehavior, _ new: SupervisedBehavior) throws(AnalysisError) {
    guard old.behavior != new.behavior else { return }
    var collector = DifferenceCollector(old: old.supervision, new: new.supervision)
    let different = try old.behavior.difference(from: new.behavior)
    let newAnswers = AnswerGroup.groups(of: new.behavior.verdicts)
    for before in AnswerGroup.groups(of: old.behavior.verdicts) {
      let inputs = try old.behavior.inputs(answeredBy: before).intersection(different)
      guard !inputs.isEmpty else { continue }
      for after in newAnswers {
        let set = try new.behavior.inputs(answeredBy: after).intersection(inputs)
        guard !set.isEmpty else { continue }
        for region in try set.abridgedRegions(maximumAlternatives: Self.maximumAlternatives) {
          try collector.add(region, of: set, before, after)
        }
      }
    }
    differences = collector.differences
  }

  /// The maximum number of alternatives that are listed for one difference. More would be unreadable.
  static let maximumAlternatives = 64
}
