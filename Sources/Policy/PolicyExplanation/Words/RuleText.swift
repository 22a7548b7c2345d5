// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// Policy rules as text.
package enum RuleText {
  /// Returns the conditions on the arguments of a call, such as `option is PR_SET_NAME`; empty if there are
  /// none.
  package static func conditions(_ conditions: [ArgumentCondition], of call: String) -> String {
    conditions.map { ConditionDescription(call: call, condition: $0).text }.joined(separator: " and ")
  }

  /// Returns a rule, such as `prctl where option is PR_SET_NAME` or `read`.
  package static func text(_ rule: SyscallRule) -> String {
    rule.conditions.isEmpty ? rule.call : "\(rule.call) where \(conditions(rule.conditions, of: rule.call))"
  }

  /// Returns a list of words, such as `a`, `a and b` or `a, b and c`.
  static func list(_ words: [String], _ last: String = "and") -> String {
    guard words.count > 1, let end = words.last else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) \(last) \(end)"
  }
}
