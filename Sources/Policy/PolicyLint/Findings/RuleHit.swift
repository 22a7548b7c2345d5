// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// What a rule found: a finding before anything is known of its key and its justification.
struct RuleHit: Sendable, Hashable {
  /// What it is about.
  var subject: String
  /// Where it stands.
  var origin: PolicyOrigin
  /// What is wrong here.
  var message: String
  /// How much it matters, if that is another than the rule's.
  var severity: FindingSeverity?

  /// Makes a hit.
  init(_ subject: String, _ origin: PolicyOrigin, _ message: String, _ severity: FindingSeverity? = nil) {
    self.subject = subject
    self.origin = origin
    self.message = message
    self.severity = severity
  }
}
