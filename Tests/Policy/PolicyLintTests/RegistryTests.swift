// SPDX-License-Identifier: Apache-2.0

import PolicyLint
import Testing

/// Checks the registry of all rules.
@Suite struct RegistryTests {
  @Test func `each rule has a unique id, name and summary`() {
    let rules = PolicyRules.descriptions
    #expect(rules.count >= 60)
    #expect(Set(rules.map(\.id)).count == rules.count)
    #expect(Set(rules.map(\.name)).count == rules.count)
    #expect(Set(rules.map(\.summary)).count == rules.count)
    #expect(rules.map(\.id) == rules.map(\.id).sorted())
    for rule in rules {
      #expect(rule.id.wholeMatch(of: /DR[0-9]{4}/) != nil)
      #expect(rule.name.wholeMatch(of: /[a-zA-Z0-9-]+/) != nil, "\(rule.name)")
      #expect(!rule.summary.hasSuffix("."), "\(rule.id)")
      #expect(rule.justification.hasSuffix("."), "\(rule.id)")
      #expect(rule.remediation.hasSuffix("."), "\(rule.id)")
      #expect(PolicyRules.description(of: rule.id) == rule)
    }
  }

  /// The ids are stable because justifications in documents name them.
  @Test func `the ids of the rules are stable`() {
    let names = Dictionary(uniqueKeysWithValues: PolicyRules.descriptions.map { ($0.id, $0.name) })
    let fixed = [
      "DR0001": "invalid-document", "DR0002": "unused-justification", "DR0206": "ptrace-family",
      "DR0215": "ioctl-without-request", "DR1001": "write-and-execute-memory",
      "DR1002": "executable-memory-file",
      "DR1203": "wide-prctl", "DR2001": "unreachable-rule", "DR2004": "cannot-start", "DR3003": "broad-path",
      "DR3101": "missing-path", "DR4001": "high-limit", "DR5001": "best-effort-layer",
    ]
    for (id, name) in fixed { #expect(names[id] == name) }
  }

  @Test func `severities are ordered`() {
    #expect(FindingSeverity.note < .warning && FindingSeverity.warning < .error)
  }
}
