// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SandboxPolicy
internal import SystemCalls

/// Proves of compiled filters that they do what they must, for every call that can be made.
package struct FilterProver: Sendable {
  /// What holds under every policy.
  package var invariants: [Invariant]
  /// What is known of the processes that answer in place of the filters.
  package var supervision: Supervision

  /// Creates a prover for some invariants.
  package init(invariants: [Invariant], supervision: Supervision) {
    self.invariants = invariants
    self.supervision = supervision
  }

  /// What a policy and the host's reports want of filters.
  package struct Expectation: Sendable {
    /// What the policy says.
    package var meaning: PolicyMeaning
    /// How refusals are reported; nil: they are not.
    package var terms: ReportingTerms?

    /// States it.
    package init(_ meaning: PolicyMeaning, reporting terms: ReportingTerms? = nil) {
      self.meaning = meaning
      self.terms = terms
    }
  }

  /// How many nodes a proof may take: many times what a policy's filter takes.
  private static let nodeLimit = 1 << 20

  /// Looks at filters that are loaded together, the oldest first.
  ///
  /// What is too much for one arrangement of bits is tried with the other.
  package func prove(_ filters: [FilterProgram], _ expectation: Expectation? = nil) -> FilterProof {
    let proof = prove(filters, expectation, in: CallSpace(.wordByWord, nodeLimit: Self.nodeLimit))
    guard proof.claims.contains(where: \.isUndecided) else { return proof }
    let other = prove(filters, expectation, in: CallSpace(.interleaved, nodeLimit: Self.nodeLimit))
    return FilterProof(claims: zip(proof.claims, other.claims).map { $0.isUndecided ? $1 : $0 })
  }

  /// Looks at filters in a space.
  private func prove(
    _ filters: [FilterProgram],
    _ expectation: Expectation?,
    in space: CallSpace
  ) -> FilterProof {
    let subjects =
      (expectation.map { [FilterProof.Subject.meaning(policy: $0.meaning.policy.name)] } ?? [])
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

  /// Whether filters do what a policy says.
  private func finding(_ expectation: Expectation, _ behavior: FilterBehavior) -> FilterProof.Finding {
    do throws(AnalysisError) {
      let space = behavior.space
      let expected =
        if let terms = expectation.terms {
          try expectation.meaning.behavior(reporting: terms, in: space)
        } else {
          try expectation.meaning.behavior(in: space)
        }
      if behavior == expected { return .proved }
      // What is made and should not be is the graver difference.
      let difference = try behavior.difference(from: expected)
      let weaker = try behavior.permitted(under: supervision)
        .subtracting(expected.permitted(under: supervision))
      let witness = try (weaker.isEmpty ? difference : weaker).witness(preferring: Self.architectures)
      guard let witness else { preconditionFailure("two behaviors that are not equal differ somewhere") }
      return .refuted(
        FilterProof.Counterexample(
          call: witness,
          expected: expected.verdict(for: witness),
          found: behavior.verdict(for: witness)
        )
      )
    } catch { return .undecided(error) }
  }

  /// Which invariants hold.
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

  /// The architectures that a witness is looked for in first.
  private static let architectures = CallArchitecture.ofThisMachine.map(\.auditNumber)
}
