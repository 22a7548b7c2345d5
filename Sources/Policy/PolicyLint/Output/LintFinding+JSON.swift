// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import SandboxPolicy

extension LintFinding {
  /// The finding as JSON.
  package var json: JSONValue {
    .object([
      "rule": .string(rule.id),
      "name": .string(rule.name),
      "severity": .string(severity.rawValue),
      "subject": subject.isEmpty ? nil : .string(subject),
      "message": .string(message),
      "justification": .string(rule.justification),
      "remediation": .string(rule.remediation),
      "location": origin.json,
      "key": keyPath.isEmpty ? nil : .string(keyPath),
      "justified": justification.map { ["reason": .string($0.reason), "location": $0.origin.json] },
    ])
  }
}

extension RuleDescription {
  /// The rule as JSON.
  package var json: JSONValue {
    .object([
      "rule": .string(id),
      "name": .string(name),
      "severity": .string(severity.rawValue),
      "evidence": .string(evidence.rawValue),
      "summary": .string(summary),
      "justification": .string(justification),
      "remediation": .string(remediation),
    ])
  }
}

extension PolicyOrigin {
  /// The position as JSON.
  fileprivate var json: JSONValue {
    [
      "file": .string(source), "line": .integer(Int64(position.line)),
      "column": .integer(Int64(position.column)),
    ]
  }
}
