// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// Rules of a policy in words.
package enum RuleText {
  /// What must hold of the arguments of a call: `option is PR_SET_NAME`; empty if nothing must.
  package static func conditions(_ conditions: [ArgumentCondition], of call: String) -> String {
    conditions.map { ConditionWords(call: call, condition: $0).text }.joined(separator: " and ")
  }

  /// A rule: `prctl where option is PR_SET_NAME`, or `read`.
  package static func text(_ rule: SyscallRule) -> String {
    rule.conditions.isEmpty ? rule.call : "\(rule.call) where \(conditions(rule.conditions, of: rule.call))"
  }

  /// Words in a row: `a`, `a and b`, `a, b and c`.
  static func list(_ words: [String], _ last: String = "and") -> String {
    guard words.count > 1, let end = words.last else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) \(last) \(end)"
  }
}
