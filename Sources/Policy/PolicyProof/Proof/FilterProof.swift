// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis

/// The results of verifying compiled filters.
package struct FilterProof: Sendable, Hashable {
  /// The claims, in the order of their verification.
  package var claims: [Claim]

  /// A property that filters must have.
  package struct Claim: Sendable, Hashable {
    /// The property.
    package var subject: Subject
    /// The result of the verification.
    package var finding: Finding

    /// Whether the claim is neither proved nor refuted.
    package var isUndecided: Bool {
      if case .undecided = finding { true } else { false }
    }
  }

  /// A kind of property.
  package enum Subject: Sendable, Hashable {
    /// The filters implement a policy: the verdict for every call is that of the policy.
    case conformance(policy: String)
    /// The filters never permit the calls that an invariant forbids.
    case invariant(name: String, reason: String)
  }

  /// The result of verifying a claim.
  package enum Finding: Sendable, Hashable {
    /// The claim holds for every call.
    case proved
    /// The claim does not hold for a call.
    case refuted(Counterexample)
    /// The analysis has no result; the claim counts as not proved.
    case undecided(AnalysisError)
  }

  /// A call for which a claim does not hold.
  package struct Counterexample: Sendable, Hashable {
    package var call: SeccompData
    /// The expected verdict, or `nil` if any verdict is correct that does not permit the call.
    package var expected: Verdict?
    /// The actual verdict.
    package var found: Verdict
  }

  /// Whether every claim was proved.
  package var holds: Bool { claims.allSatisfy { $0.finding == .proved } }

  /// The claims that were not proved.
  package var failures: [Claim] { claims.filter { $0.finding != .proved } }
}
