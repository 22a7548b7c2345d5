// SPDX-License-Identifier: Apache-2.0

package import LaunchPlanning
package import PolicyExplanation
package import PolicyProof
package import SandboxPolicy

/// The parts of a policy that other modules of the package use.
extension CapturePolicy {
  /// The policy with its digest.
  package var resolved: FoundPolicy { found }

  /// Creates a policy that was found or created.
  package init(_ found: FoundPolicy) {
    self.found = found
    (name, digest) = (found.policy.name, found.digest)
  }
}

extension CapturePolicy.Verdict {
  /// Creates the verdict about a claim of a proof.
  package init(_ programs: String, _ claim: FilterProof.Claim) {
    (self.programs, property) = (programs, "\(claim.subject)")
    (isProved, failure) = (claim.finding == .proved, claim.finding.failure)
  }
}

extension PolicyComparison {
  /// Creates a comparison.
  package init(_ calls: BehaviorComparison, _ sandbox: [SandboxDifference]) {
    self.calls = calls.differences.map { difference in
      Difference(
        effect: Effect(rawValue: difference.direction.rawValue) ?? .changed,
        subject: difference.isOnlyNative
          ? difference.title : "\(difference.title) (\(difference.architectureText))",
        conditions: difference.isUnconditional ? [] : difference.conditions,
        example: CallName.text(difference.witness),
        old: difference.before.text,
        new: difference.after.text
      )
    }
    self.sandbox = sandbox.map { difference in
      let text = SandboxDifferenceText(difference)
      return Difference(
        effect: Effect(rawValue: difference.direction.rawValue) ?? .changed,
        subject: text.subject,
        conditions: [],
        example: nil,
        old: text.old,
        new: text.new
      )
    }
  }
}
