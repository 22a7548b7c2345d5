// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import PolicyExplanation
package import SandboxPolicy
internal import SystemCalls

/// A comparison of the sets of calls that compiled filters allow.
package struct CombinationProof {
  /// Creates a comparison.
  package init() {}

  /// The space of all calls.
  private let space = CallSpace()

  /// Returns a call that one filter allows and another does not, or `nil` if it is proved that there is no
  /// such call.
  ///
  /// `names` are the arguments that named the two filters, for messages. `foreign` is the auditor's statement
  /// about the processes that answer on behalf of foreign filters.
  package func witness(
    allowedBy inner: FilterSource,
    butNotBy outer: FilterSource,
    _ names: (String, String),
    _ foreign: Supervision
  ) throws(FilterSourceError) -> String? {
    let first = try inner.behavior(in: space, name: names.0)
    let second = try outer.behavior(in: space, name: names.1)
    return try analyzed { () throws(AnalysisError) in
      try first.permitted(under: inner.supervision(foreign: foreign))
        .subtracting(second.permitted(under: outer.supervision(foreign: foreign)))
        .witness(preferring: [CallArchitecture.native.auditArchitecture]).map(CallName.text)
    }
  }

  /// Returns a call on which a combined policy differs from the operation, or `nil` if it is proved that
  /// there is no such call.
  ///
  /// The calls that start a program are excluded, because they follow from `execute`.
  package func counterexample(
    of result: ResolvedPolicy,
    as operation: PolicyCombination,
    of policies: [ResolvedPolicy]
  ) throws(FilterSourceError) -> String? {
    let found = try permitted(result)
    var sets: [CallSet] = []
    for policy in policies { sets.append(try permitted(policy)) }
    return try analyzed { () throws(AnalysisError) in
      var expected = operation == .union ? space.nothing : space.everything
      for set in sets {
        expected = operation == .union ? try expected.union(set) : try expected.intersection(set)
      }
      let table = CallTable.of(.native)
      let starting = try space.numbers(ExecutePermission.calls.compactMap(table.number))
      let difference = try expected.subtracting(found).union(found.subtracting(expected))
      return try difference.subtracting(starting).witness(preferring: [
        CallArchitecture.native.auditArchitecture
      ])
      .map(CallName.text)
    }
  }

  /// Returns the calls that the compiled filter of a policy allows.
  private func permitted(_ policy: ResolvedPolicy) throws(FilterSourceError) -> CallSet {
    let program = try FilterSource.compile(policy)
    return try analyzed { () throws(AnalysisError) in
      try space.behavior(of: program).permitted(under: .unknown)
    }
  }

  /// Runs an analysis, and converts its errors.
  private func analyzed<Value>(_ body: () throws(AnalysisError) -> Value) throws(FilterSourceError) -> Value {
    do { return try body() } catch { throw .comparison(error) }
  }
}
