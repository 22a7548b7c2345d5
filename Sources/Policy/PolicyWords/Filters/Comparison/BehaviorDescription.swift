// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
package import SystemCalls

/// The answers of a filter to some calls, exactly: each call is in one entry.
package struct BehaviorDescription: Sendable {
  /// The calls by answer: in each entry the answers before and after are the same.
  package private(set) var entries: [BehaviorDifference] = []

  /// Describes the answers to some calls.
  ///
  /// - Parameters:
  ///   - behavior: The filter, in a space that is arranged word by word.
  ///   - asked: The calls.
  ///   - supervision: What is known of the processes that answer in place of the filter.
  /// - Throws: An error if the answers have no short description.
  package init(
    of behavior: FilterBehavior,
    to asked: CallSet,
    under supervision: Supervision
  ) throws(AnalysisError) {
    var gathered = DifferenceGathering(old: supervision, new: supervision)
    for group in AnswerGroup.groups(of: behavior.verdicts) {
      let verdicts = Set(group.verdicts)
      let set = try behavior.inputs { verdicts.contains($0) }.intersection(asked)
      guard !set.isEmpty else { continue }
      for region in try set.abridgedRegions(mostWays: BehaviorComparison.mostWays) {
        try gathered.add(region, of: set, group, group)
      }
    }
    entries = gathered.differences
  }
}

extension CallSpace {
  /// Returns the calls that a call on a command line can be: with every value of the arguments that are not stated.
  package func calls(_ call: ParsedCall) throws(AnalysisError) -> CallSet {
    var set = try architecture(call.architecture.auditNumber).intersection(numbers(call.number...call.number))
    for (index, value) in call.arguments.enumerated() {
      guard let value else { continue }
      set = try set.intersection(argument(index, mask: .max, equals: value))
    }
    return set
  }
}
