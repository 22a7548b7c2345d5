// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import PolicyWords
internal import SandboxPolicy
internal import SystemCalls

/// The calls that the compiled filters of policies allow, compared as sets.
struct CombinationProof {
  /// The space of all calls.
  private let space = CallSpace()

  /// Returns a call that one filter allows and another one does not, or `nil` if it is proved that there is none.
  ///
  /// `names` are the arguments that named the two, for messages. `foreign` is what the auditor states of the processes that
  /// answer in place of filters from elsewhere.
  func witness(
    allowedBy inner: FilterSource,
    butNotBy outer: FilterSource,
    _ names: (String, String),
    _ foreign: Supervision
  ) throws(CommandFailure) -> String? {
    let first = try inner.behavior(in: space, name: names.0)
    let second = try outer.behavior(in: space, name: names.1)
    return try analyzed { () throws(AnalysisError) in
      try first.permitted(under: inner.supervision(foreign: foreign))
        .subtracting(second.permitted(under: outer.supervision(foreign: foreign)))
        .witness(preferring: [CallArchitecture.native.auditNumber]).map(CallName.text)
    }
  }

  /// Returns a call on which a combined policy is not what the operation says, or `nil` if it is proved that there is none.
  ///
  /// The calls that start a program are left out: they follow from `execute`.
  func error(
    of result: ResolvedPolicy,
    as operation: PolicyCombination,
    of policies: [ResolvedPolicy]
  ) throws(CommandFailure) -> String? {
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
      return try difference.subtracting(starting).witness(preferring: [CallArchitecture.native.auditNumber])
        .map(CallName.text)
    }
  }

  /// The calls that the compiled filter of a policy allows.
  private func permitted(_ policy: ResolvedPolicy) throws(CommandFailure) -> CallSet {
    let program = try FilterSource.compile(policy)
    return try analyzed { () throws(AnalysisError) in
      try space.behavior(of: program).permitted(under: .unknown)
    }
  }

  /// Translates an analysis that did not end.
  private func analyzed<Value>(_ body: () throws(AnalysisError) -> Value) throws(CommandFailure) -> Value {
    do { return try body() } catch {
      throw CommandFailure(.breach, "the filters could not be compared: \(error)")
    }
  }
}
