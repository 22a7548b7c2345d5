// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// Something that a check found in a policy.
package struct LintFinding: Sendable, Hashable {
  /// The rule that found it.
  package var rule: RuleDescription
  /// How much it matters here; mostly what the rule says.
  package var severity: FindingSeverity
  /// What it is about: a call, a path, a limit, a group; empty for the document as a whole.
  package var subject: String
  /// What is wrong here, in a sentence without a full stop.
  package var message: String
  /// Where it stands, in some document of the `extends` chain.
  package var origin: PolicyOrigin
  /// The key that it belongs to, for example `syscalls.allow[3]`; empty for the document as a whole.
  package var keyPath: String
  /// Why it is granted all the same; nil if nobody says so.
  package var justification: PolicyJustification?

  /// Whether the finding still waits for somebody.
  package var isOpen: Bool { justification == nil }

  /// A text by which the same finding is recognised in another run, also when lines have moved.
  package var fingerprint: String { "\(rule.id):\(origin.source):\(subject)" }
}

extension LintFinding: CustomStringConvertible {
  /// One line: `base.json:6:7: warning: "mmap" … [DR1001 write-and-execute-memory, syscalls.allow[0]]`.
  package var description: String {
    let key = keyPath.isEmpty ? "" : ", \(keyPath)"
    return "\(origin): \(severity.rawValue): \(message) [\(rule.id) \(rule.name)\(key)]"
  }
}
