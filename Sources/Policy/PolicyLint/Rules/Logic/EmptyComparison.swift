// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about conditions that are always true.
extension PolicyRule {
  /// The rule that finds conditions with an empty mask.
  static let emptyComparison = PolicyRule(
    "DR2005",
    "empty-comparison",
    .warning,
    summary: "A condition compares no bits",
    justification: "It holds for every argument. A reader believes that the call is limited.",
    remediation: "Give the mask the bits that matter, or remove the condition."
  ) { linted in
    linted.documents.flatMap(\.allow).flatMap { rule in
      rule.conditions.filter { $0.mask == 0 }.map { condition in
        RuleHit(
          rule.call,
          rule.origin,
          "the condition on argument \(condition.index) of \"\(rule.call)\" compares no bits"
        )
      }
    }
  }
}
