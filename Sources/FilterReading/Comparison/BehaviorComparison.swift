// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SystemCalls

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
    for before in old.behavior.verdicts {
      let inputs = try old.behavior.inputs { $0 == before }
      for after in new.behavior.verdicts where after != before {
        let set = try new.behavior.inputs { $0 == after }.intersection(inputs)
        guard !set.isEmpty else { continue }
        for region in try set.regions() { try gathered.add(region, of: set, before, after) }
      }
    }
    differences = gathered.differences
  }
}
