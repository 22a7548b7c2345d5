// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
package import SystemCalls

/// The exact answers of a filter to some calls. Each call is in one entry.
package struct BehaviorDescription: Sendable {
  /// The calls by answer. The answers before and after are equal in each entry.
  package private(set) var entries: [BehaviorDifference] = []

  /// Creates the description of the answers to some calls.
  ///
  /// - Parameters:
  ///   - behavior: The behavior of the filter, in a space with a word-by-word variable order.
  ///   - requested: The calls.
  ///   - supervision: The known behavior of the processes that answer calls instead of the filter.
  /// - Throws: ``AnalysisError`` if the answers have no short description.
  package init(
    of behavior: FilterBehavior,
    to requested: CallSet,
    under supervision: Supervision
  ) throws(AnalysisError) {
    var collector = DifferenceCollector(old: supervision, new: supervision)
    for group in AnswerGroup.groups(of: behavior.verdicts) {
      let verdicts = Set(group.verdicts)
      let set = try behavior.inputs { verdicts.contains($0) }.intersection(requested)
      guard !set.isEmpty else { continue }
      for region in try set.abridgedRegions(maximumAlternatives: BehaviorComparison.maximumAlternatives) {
        try collector.add(region, of: set, group, group)
      }
    }
    entries = collector.differences
  }
}

extension CallSpace {
  /// Returns the calls that match a call on a command line, with every value of unspecified arguments.
  package func calls(_ call: ParsedCall) throws(AnalysisError) -> CallSet {
    var set = try architecture(call.architecture.auditArchitecture).intersection(
      numbers(call.number...call.number)
    )
    for (index, value) in call.arguments.enumerated() {
      guard let value else { continue }
      set = try set.intersection(argument(index, mask: .max, equals: value))
    }
    return set
  }
}
