// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
package import PolicyExplanation
package import SandboxPolicy

/// A filter with the argument that named it.
package struct NamedFilter: Sendable {
  /// The argument.
  package let name: String
  /// The filter.
  package let source: FilterSource

  /// Creates a filter with a name.
  package init(name: String, source: FilterSource) { (self.name, self.source) = (name, source) }
}

/// The comparison of two filters.
package struct FilterComparison: Sendable {
  /// The assumptions about the answers of other processes.
  package let assumptions: [AnswerAssumption]
  /// The differences in system calls.
  package let calls: BehaviorComparison
  /// The differences other than system calls, or `nil` unless both filters are policies.
  package let sandbox: [SandboxDifference]?

  /// Compares two filters. `foreign` is the auditor's statement about the processes that answer on behalf of
  /// foreign filters.
  package init(
    old: NamedFilter,
    new: NamedFilter,
    under foreign: Supervision
  ) throws(FilterSourceError) {
    let space = CallSpace()
    let behaviors = (
      try old.source.behavior(in: space, name: old.name), try new.source.behavior(in: space, name: new.name)
    )
    assumptions = foreign.assumptions(about: behaviors.0.verdicts + behaviors.1.verdicts)
    let before = SupervisedBehavior(behaviors.0, under: old.source.supervision(foreign: foreign))
    let after = SupervisedBehavior(behaviors.1, under: new.source.supervision(foreign: foreign))
    do { calls = try BehaviorComparison(before, after) } catch { throw .comparison(error) }
    sandbox = old.source.policy.flatMap { old in new.source.policy.map { old.sandboxDifferences(to: $0) } }
  }

  /// Whether there are no differences.
  package var isEqual: Bool { calls.isEqual && sandbox?.isEmpty ?? true }

  /// Whether the new filter allows anything that the old one does not.
  package var isWeaker: Bool {
    !calls.differences(.weaker).isEmpty || sandbox?.contains { $0.direction == .weaker } ?? false
  }
}

/// The test whether a filter allows nothing that another one does not.
package struct FilterContainment: Sendable {
  /// A call that only the smaller filter allows, or `nil` if it is proved that there is no such call.
  package let call: String?
  /// The abilities apart from calls that only the smaller policy gives, or `nil` unless both are policies.
  package let sandbox: [SandboxDifference]?

  /// Tests whether `inner` allows nothing that `outer` does not. `foreign` is the auditor's statement about
  /// the processes that answer on behalf of foreign filters.
  package init(
    of inner: NamedFilter,
    in outer: NamedFilter,
    under foreign: Supervision
  ) throws(FilterSourceError) {
    let names = (inner.name, outer.name)
    call = try CombinationProof().witness(allowedBy: inner.source, butNotBy: outer.source, names, foreign)
    sandbox = inner.source.policy.flatMap { inner in
      outer.source.policy?.sandboxDifferences(to: inner).filter { $0.direction == .weaker }
    }
  }

  /// Whether the filter allows nothing that the other one does not.
  package var isSubset: Bool { call == nil && sandbox?.isEmpty ?? true }
}
