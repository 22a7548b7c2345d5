// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis

/// What was proved of compiled filters, and what was refuted.
package struct FilterProof: Sendable, Hashable {
  /// The claims, in the order in which they were tried.
  package var claims: [Claim]

  /// Something that filters must do.
  package struct Claim: Sendable, Hashable {
    /// What.
    package var subject: Subject
    /// What came of it.
    package var finding: Finding

    /// Whether nothing is known of it.
    package var isUndecided: Bool {
      if case .undecided = finding { true } else { false }
    }
  }

  /// What is claimed.
  package enum Subject: Sendable, Hashable {
    /// The filters do with every call what a policy says.
    case meaning(policy: String)
    /// The filters never let some calls be made.
    case invariant(name: String, reason: String)
  }

  /// What came of a claim.
  package enum Finding: Sendable, Hashable {
    /// It holds of every call.
    case proved
    /// It does not hold of a call.
    case refuted(Counterexample)
    /// Nothing is known; this counts as not proved.
    case undecided(AnalysisError)
  }

  /// A call of which a claim does not hold.
  package struct Counterexample: Sendable, Hashable {
    /// The call.
    package var call: CallInput
    /// What should become of it; nil: anything but being made.
    package var expected: Verdict?
    /// What becomes of it.
    package var found: Verdict
  }

  /// Whether every claim was proved.
  package var holds: Bool { claims.allSatisfy { $0.finding == .proved } }

  /// The claims that were not proved.
  package var failures: [Claim] { claims.filter { $0.finding != .proved } }
}
