// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SystemCalls

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

  /// Compares two behaviors of one space.
  package init(_ old: FilterBehavior, _ new: FilterBehavior) throws(AnalysisError) {
    guard old != new else { return }
    var gathered = DifferenceGathering()
    for before in old.verdicts {
      let old = try old.inputs { $0 == before }
      for after in new.verdicts where after != before {
        let set = try new.inputs { $0 == after }.intersection(old)
        guard !set.isEmpty else { continue }
        for region in try set.regions() { try gathered.add(region, of: set, before, after) }
      }
    }
    differences = gathered.differences
  }
}
