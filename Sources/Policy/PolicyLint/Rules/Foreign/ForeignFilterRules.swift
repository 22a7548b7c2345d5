// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import SandboxPolicy

/// Rules about filters that are not Darkroom policies. ``ForeignFilterFacts`` contains their findings.
extension PolicyRule {
  /// The rule that reports allowed calls that no policy can allow.
  static let foreignCore = PolicyRule(
    "DR6001",
    "foreign-filter-opens-core",
    .error,
    summary: "A foreign filter allows calls that no Darkroom policy can allow",
    justification:
      "With such a call, a program can leave its sandbox or reach kernel code that was often exploited.",
    remediation: "Refuse the calls in the filter; 'darkroom policy verify' prints an example of each kind."
  ) { _ in [] }

  /// The rule that reports filters that allow unknown call numbers, such as deny lists.
  static let foreignDefault = PolicyRule(
    "DR6002",
    "foreign-filter-allows-new-calls",
    .warning,
    summary: "A foreign filter allows unassigned call numbers",
    justification:
      "Each new kernel that assigns such a number widens the sandbox without a change of the filter.",
    remediation:
      "Make the filter refuse unlisted calls with ENOSYS, so that programs fall back to older calls."
  ) { _ in [] }

  /// The rule that reports filters that allow calls of architectures that they do not compare with.
  static let foreignArchitecture = PolicyRule(
    "DR6003",
    "foreign-filter-ignores-architecture",
    .error,
    summary: "A foreign filter allows calls of an architecture that it does not check",
    justification:
      "The same number is a different call on another architecture, so the filter's rules do not apply to programs "
      + "of that architecture.",
    remediation: "Check the architecture first, and kill the process on every other architecture."
  ) { _ in [] }

  /// The rule that reports parts of a file with an assumed meaning or without effect.
  static let foreignRemark = PolicyRule(
    "DR6004",
    "foreign-filter-remark",
    .note,
    summary: "A part of a foreign file has no effect, or its meaning is assumed",
    justification: "The author of the file may believe that the part protects something.",
    remediation: "Correct the part, or remove it."
  ) { _ in [] }

  /// All rules about foreign filters.
  static let foreignRules = [foreignCore, foreignDefault, foreignArchitecture, foreignRemark]
}

/// The facts about a filter that is not a Darkroom policy.
package struct ForeignFilterFacts: Sendable {
  /// The name of the file, the process or the filter stack.
  package var source: String
  /// The violated invariants, each with an example of an allowed call.
  package var violations: [(name: String, reason: String, example: String)]
  /// An allowed call of this machine's architectures with an unknown number, or `nil` if there is none.
  package var unknownCall: String?
  /// An allowed call of an architecture that the machine lacks, or `nil` if there is none.
  package var foreignCall: String?
  /// The remarks of the parser.
  package var remarks: [String]

  /// Creates facts about a filter.
  package init(
    source: String,
    violations: [(name: String, reason: String, example: String)],
    unknownCall: String?,
    foreignCall: String?,
    remarks: [String]
  ) {
    self.source = source
    self.violations = violations
    self.unknownCall = unknownCall
    self.foreignCall = foreignCall
    self.remarks = remarks
  }
}

extension PolicyLinter {
  /// Returns the findings about a filter that is not a Darkroom policy.
  package static func findings(in facts: ForeignFilterFacts) -> [LintFinding] {
    func finding(_ rule: PolicyRule, _ subject: String, _ message: String) -> LintFinding {
      LintFinding(
        rule: rule.description,
        severity: rule.description.severity,
        subject: subject,
        message: message,
        origin: PolicyOrigin(source: facts.source, position: TextPosition(line: 1, column: 1)),
        keyPath: ""
      )
    }
    var findings = facts.violations.map {
      finding(.foreignCore, $0.name, "\($0.name): \($0.reason); the filter allows \($0.example)")
    }
    if let call = facts.unknownCall {
      findings.append(
        finding(.foreignDefault, "unknown numbers", "the filter allows \(call), an unassigned call number")
      )
    }
    if let call = facts.foreignCall {
      findings.append(finding(.foreignArchitecture, "other architectures", "the filter allows \(call)"))
    }
    return findings + facts.remarks.map { finding(.foreignRemark, $0, $0) }
  }
}
