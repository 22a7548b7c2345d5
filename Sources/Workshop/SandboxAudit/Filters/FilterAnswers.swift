// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
package import PolicyExplanation
package import SystemCalls

/// The answers of a filter to calls, with their conditions on arguments.
package struct FilterAnswers: Sendable {
  /// The calls by answer.
  package let entries: [BehaviorDifference]
  /// The assumptions about the processes that answer on behalf of the filter.
  package let assumptions: [AnswerAssumption]

  /// Evaluates a filter for one call, or for every call if `call` is `nil`. `foreign` is the auditor's
  /// statement about the processes that answer on behalf of foreign filters.
  package init(
    of filter: NamedFilter,
    to call: ParsedCall?,
    under foreign: Supervision
  ) throws(FilterSourceError) {
    let space = CallSpace()
    let behavior = try filter.source.behavior(in: space, name: filter.name)
    let supervision = filter.source.supervision(foreign: foreign)
    do throws(AnalysisError) {
      let calls = try call.map { call throws(AnalysisError) in try space.calls(call) } ?? space.everything
      entries = try BehaviorDescription(of: behavior, to: calls, under: supervision).entries
    } catch { throw .analysis(name: filter.name, error) }
    assumptions = supervision.assumptions(about: entries.flatMap(\.before.verdicts))
  }
}
