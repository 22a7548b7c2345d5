// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SandboxPolicy
internal import SystemCalls

/// A prover that verifies compiled filters for every possible call.
package struct FilterProver: Sendable {
  /// The invariants of all policies.
  package var invariants: [Invariant]
  /// The assumptions about the processes that answer instead of the filters.
  package var supervision: Supervision

  /// Creates a prover for some invariants.
  package init(invariants: [Invariant], supervision: Supervision) {
    self.invariants = invariants
    self.supervision = supervision
  }

  /// The expected behavior of filters.
  package struct Expectation: Sendable {
    /// The meaning of the policy.
    package var semantics: PolicySemantics
    /// The parameters of reporting refusals, or `nil` if the filters do not report them.
    package var terms: ReportingParameters?

    /// Creates an expectation.
    package init(_ meaning: PolicySemantics, reporting terms: ReportingParameters? = nil) {
      self.semantics = meaning
      self.terms = terms
    }
  }

  /// The maximum number of nodes of a proof: many times the number that a policy's filter needs.
  private static let nodeLimit = 1 << 20

  /// Verifies filters that are loaded together, the oldest first.
  ///
  /// Claims that exceed the limits with one arrangement of bits are tried with the other one.
  package func prove(_ filters: [FilterProgram], _ expectation: Expectation? = nil) -> FilterProof {
    let proof = prove(filters, expectation, in: CallSpace(.wordByWord, nodeLimit: Self.nodeLimit))
    guard proof.claims.contains(where: \.isUndecided) else { return proof }
    let other = prove(filters, expectation, in: CallSpace(.interleaved, nodeLimit: Self.nodeLimit))
    return FilterProof(claims: zip(proof.claims, other.claims).map { $0.isUndecided ? $1 : $0 })
  }

  /// Verifies filters in a space.
  private func prove(
    _ filters: [FilterProgram],
    _ expectation: Expectation?,
    in space: CallSpace
  ) -> FilterProof {
    let subjects =
      (expectation.map { [FilterProof.Subject.conformance(policy: $0.semantics.policy.name)] } ?? [])
      + invariants.map { .invariant(name: $0.name, reason: $0.reason) }
    let behavior: FilterBehavior
    do { behavior = try space.behavior(ofStack: filters) } catch {
      return FilterProof(claims: subjects.map { FilterProof.Claim(subject: $0, finding: .undecided(error)) })
    }
    var findings: [FilterProof.Finding] = []
    if let expectation { findings.append(finding(expectation, behavior)) }
    findings += invariantFindings(behavior)
    return FilterProof(
      claims: zip(subjects, findings).map { FilterProof.Claim(subject: $0, finding: $1) }
    )
  }

  /// Returns whether filters implement a policy.
  private func finding(_ expectation: Expectation, _ behavior: FilterBehavior) -> FilterProof.Finding {
    do throws(AnalysisError) {
      let space = behavior.space
      let expected =
        if let terms = expectation.terms {
          try expectation.semantics.behavior(reporting: terms, in: space)
        } else {
          try expectation.semantics.behavior(in: space)
        }
      if behavior == expected { return .proved }
      // A call that is permitted and should not be is the more serious difference.
      let difference = try behavior.difference(from: expected)
      let weaker = try behavior.permitted(under: supervision)
        .subtracting(expected.permitted(under: supervision))
      let witness = try (weaker.isEmpty ? difference : weaker).witness(preferring: Self.architectures)
      guard let witness else { preconditionFailure("two behaviors that are not equal have a difference") }
      return .refuted(
        FilterProof.Counterexample(
          call: witness,
          expected: expected.verdict(for: witness),
          found: behavior.verdict(for: witness)
        )
      )
    } catch { return .undecided(error) }
  }

  /// Returns the results for all invariants.
  private func invariantFindings(_ behavior: FilterBehavior) -> [FilterProof.Finding] {
    do throws(AnalysisError) {
      let permitted = try behavior.permitted(under: supervision)
      return invariants.map { invariant in
        do throws(AnalysisError) {
          let broken = try permitted.intersection(invariant.set(in: behavior.space))
          guard let witness = try broken.witness(preferring: Self.architectures) else { return .proved }
          return .refuted(
            FilterProof.Counterexample(call: witness, expected: nil, found: behavior.verdict(for: witness))
          )
        } catch { return .undecided(error) }
      }
    } catch { return invariants.map { _ in .undecided(error) } }
  }

  /// The preferred architectures of a counterexample.
  private static let architectures = CallArchitecture.ofThisMachine.map(\.auditArchitecture)
}
