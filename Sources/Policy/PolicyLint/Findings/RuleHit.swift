// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// A hit of a rule: a finding before its key path and its justification are known.
struct RuleHit: Sendable, Hashable {
  /// The call, path, limit or group that the hit is about.
  var subject: String
  /// The position of the hit.
  var origin: PolicyOrigin
  /// The problem as a sentence without a final period.
  var message: String
  /// The severity, or `nil` if it is that of the rule.
  var severity: FindingSeverity?

  /// Creates a hit.
  init(_ subject: String, _ origin: PolicyOrigin, _ message: String, _ severity: FindingSeverity? = nil) {
    self.subject = subject
    self.origin = origin
    self.message = message
    self.severity = severity
  }
}
