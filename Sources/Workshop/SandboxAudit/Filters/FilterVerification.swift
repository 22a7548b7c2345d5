// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import LaunchPlanning
package import PolicyProof
package import SandboxPolicy

/// The proofs of a filter: one for each variant of its programs.
package struct FilterVerification: Sendable {
  /// The programs with their proofs.
  package let programs: [ProvedPrograms]

  /// Whether every claim was proved.
  package var holds: Bool { programs.allSatisfy(\.proof.holds) }

  /// Proves the properties of a filter.
  ///
  /// The programs of a policy are the compiled program, the pair that reports refusals, and the programs for
  /// sessions without namespaces.
  ///
  /// - Parameters:
  ///   - source: The filter.
  ///   - expected: A policy with which a foreign filter is compared, or `nil`.
  ///   - more: Further invariants.
  ///   - foreign: The auditor's statement about the processes that answer on behalf of foreign filters.
  /// - Throws: An error if the filter cannot be compiled.
  package init(
    of source: FilterSource,
    expecting expected: ResolvedPolicy?,
    _ more: [Invariant],
    under foreign: Supervision
  ) throws(FilterSourceError) {
    if case .policy(let found) = source {
      programs = try Self.programs(found.policy, more)
      return
    }
    let (supervision, given) = (source.supervision(foreign: foreign), try source.programs())
    let expectation = expected.map { FilterProver.Expectation(PolicySemantics($0)) }
    var proved = try ProvedPrograms("given", given, expectation, more, under: supervision)
    let verdicts = (try? CallSpace().behavior(ofStack: given).verdicts) ?? []
    proved.assumptions = supervision.assumptions(about: verdicts)
    programs = [proved]
  }

  /// Proves the properties of the programs to which a policy is compiled.
  private static func programs(
    _ policy: ResolvedPolicy,
    _ more: [Invariant]
  ) throws(FilterSourceError) -> [ProvedPrograms] {
    let compiled = try FilterSource.compile(policy)
    let terms = FilterInspection.reportingTerms
    var proved = [
      try ProvedPrograms(
        "compiled",
        [compiled],
        .init(PolicySemantics(policy)),
        more,
        under: .notificationsRefused
      ),
      try ProvedPrograms("loaded", compiled, .init(PolicySemantics(policy), reporting: terms), more),
    ]
    // If every layer is required, no session runs without namespaces.
    guard policy.bestEffort.contains(.userNamespace) else { return proved }
    for signalsAreScoped in [true, false] {
      let restricted = policy.restricted(signalsAreScoped: signalsAreScoped)
      let name = signalsAreScoped ? "without namespaces" : "without namespaces and scopes"
      let program = try FilterSource.compile(restricted)
      proved.append(
        try ProvedPrograms(name, program, .init(PolicySemantics(restricted), reporting: terms), more)
      )
    }
    return proved
  }
}

/// Programs that are loaded together, with their proof.
package struct ProvedPrograms: Sendable {
  /// The name of the variant of the programs.
  package let name: String
  /// The total number of instructions.
  package let instructions: Int
  /// The known answers of the processes that answer on behalf of the programs.
  package let supervision: Supervision
  /// The assumptions about the processes that answer on behalf of a foreign filter.
  package fileprivate(set) var assumptions: [AnswerAssumption] = []
  /// The proof.
  package let proof: FilterProof

  /// Proves the properties of programs that are loaded together.
  fileprivate init(
    _ name: String,
    _ programs: [FilterProgram],
    _ expectation: FilterProver.Expectation?,
    _ more: [Invariant],
    under supervision: Supervision
  ) throws(FilterSourceError) {
    let invariants: [Invariant]
    do { invariants = try FilterInspection.invariants() + more } catch { throw .machine(error) }
    self.name = name
    instructions = programs.reduce(0) { $0 + $1.instructions.count }
    self.supervision = supervision
    proof = FilterProver(invariants: invariants, supervision: supervision).prove(programs, expectation)
  }

  /// Proves the properties of the two programs that a launch loads, which report refusals.
  fileprivate init(
    _ name: String,
    _ compiled: FilterProgram,
    _ expectation: FilterProver.Expectation,
    _ more: [Invariant]
  ) throws(FilterSourceError) {
    let installed = try FilterSource.installed(compiled)
    // The supervisor is the session's host, which refuses every call.
    try self.init(name, installed, expectation, more, under: .notificationsRefused)
  }
}
