// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// A finding of the policy linter.
package struct LintFinding: Sendable, Hashable {
  /// The rule that produced the finding.
  package var rule: RuleDescription
  /// The severity, which is usually that of the rule.
  package var severity: FindingSeverity
  /// The call, path, limit or group that the finding is about; empty for the whole document.
  package var subject: String
  /// The problem as a sentence without a final period.
  package var message: String
  /// The position of the finding, in any document of the `extends` chain.
  package var origin: PolicyOrigin
  /// The key path of the finding, such as `syscalls.allow[3]`; empty for the whole document.
  package var keyPath: String
  /// The justification of the finding, or `nil` if there is none.
  package var justification: PolicyJustification?

  /// Whether the finding is not justified.
  package var isOpen: Bool { justification == nil }

  /// An identifier of the finding that stays the same in other runs, even if lines have moved.
  package var fingerprint: String { "\(rule.id):\(origin.source):\(subject)" }
}

extension LintFinding: CustomStringConvertible {
  /// The finding in one line, such as `base.json:6:7: warning: "mmap" … [DR1001 write-and-execute-memory,
  /// syscalls.allow[0]]`.
  package var description: String {
    let key = keyPath.isEmpty ? "" : ", \(keyPath)"
    return "\(origin): \(severity.rawValue): \(message) [\(rule.id) \(rule.name)\(key)]"
  }
}
