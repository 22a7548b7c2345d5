// SPDX-License-Identifier: Apache-2.0

/// Why a policy grants something that a check of policies finds fault with.
///
/// It says something about a policy and nothing to the kernel: what is enforced is the same with it and without it.
package struct PolicyJustification: Sendable, Hashable {
  /// The rule of the check whose findings are meant, by its id, for example `DR1001`.
  package var rule: Sourced<String>
  /// What the findings are about, for example a call or a path; nil means all findings of the rule.
  package var subject: Sourced<String>?
  /// The reason, in a sentence.
  package var reason: String
  /// Where it stands.
  package var origin: PolicyOrigin

  /// Makes a justification.
  package init(
    rule: Sourced<String>,
    subject: Sourced<String>?,
    reason: String,
    origin: PolicyOrigin
  ) {
    self.rule = rule
    self.subject = subject
    self.reason = reason
    self.origin = origin
  }
}
