// SPDX-License-Identifier: Apache-2.0

/// The reason for a grant that the policy linter reports.
///
/// A justification only affects the linter. Enforcement is the same with and without it.
package struct PolicyJustification: Sendable, Hashable {
  /// The ID of the linter's rule, for example `DR1001`.
  package var rule: Sourced<String>
  /// The subject of the finding, for example a call or a path, or `nil` for all findings of the rule.
  package var subject: Sourced<String>?
  /// The reason, in one sentence.
  package var reason: String
  /// The position of the justification.
  package var origin: PolicyOrigin

  /// Creates a justification.
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
