// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import JSONText
internal import LaunchPlanning
internal import PolicyExplanation
internal import PolicyLint
internal import PolicyProof
internal import SandboxPolicy
internal import SessionStore

extension AuditEvidence {
  /// The section about the abilities that the policy grants, in plain language.
  var policySection: AuditSection {
    let description = PolicyDescription(of: policy.found.policy, comparedWith: policy.baseline)
    let blocks = description.sections.map { section in
      AuditBlock.statements(
        section.title,
        section.statements.map { .init(mark: $0.kind.mark, text: $0.text, items: $0.items) }
      )
    }
    return AuditSection(
      id: "policy",
      title: "Permissions of the policy",
      blocks: [
        .text(
          "Every sentence is derived from the policy's rules. \"can\" and \"cannot\" apply to the extension and to all "
            + "programs that it starts; anything that is not listed as possible is denied."
        )
      ] + blocks,
      data: description.json
    )
  }

  /// The section about the enforcement on this machine.
  var enforcementSection: AuditSection {
    let rows = policy.enforcement.layers.map { layer in
      [
        AuditCell(layer.name), AuditCell(layer.state.words, layer.state.mark),
        AuditCell(
          ([layer.detail] + layer.fixes.prefix(1).map { "fix: \($0.sentence)" })
            .filter { !$0.isEmpty }.joined(separator: "; ")
        ),
      ]
    }
    let claims = policy.proof.claims
    let proved = claims.map { claim in
      [
        AuditCell("\(claim.subject)"),
        claim.finding == .proved ? AuditCell("proved", .good) : AuditCell("\(claim)", .bad),
      ]
    }
    return AuditSection(
      id: "enforcement",
      title: "Enforcement on this machine",
      blocks: [
        .text(
          "A sandbox with this policy was created on this machine, and a system program was run in it. "
            + statusText
        ),
        .table(
          .init(
            caption: "The layers of the sandbox",
            columns: ["Layer", "State", "Observation"],
            rows: rows
          )
        ),
        .text(
          "The compiled filter was compared with the policy for every call of every architecture of this machine and "
            + "every argument. In addition, the following claims hold under every policy:"
        ),
        .table(.init(caption: "Proved claims about the filter", columns: ["Claim", "Result"], rows: proved)),
      ] + policy.enforcement.remarks.map { .text($0) },
      data: [
        "status": .string(policy.enforcement.status.rawValue),
        "layers": .array(
          policy.enforcement.layers.map {
            ["name": .string($0.name), "state": .string($0.state.rawValue), "detail": .string($0.detail)]
          }
        ),
        "remarks": .array(policy.enforcement.remarks.map(JSONValue.string)),
        "proof": .array(
          claims.map { ["claim": .string("\($0.subject)"), "proved": .bool($0.finding == .proved)] }
        ),
      ]
    )
  }

  private var statusText: String {
    switch policy.enforcement.status {
    case .full: "Every layer was enforced."
    case .degraded: "Some layers were not enforced, or only partly."
    case .unavailable:
      "The sandbox could not be created; sessions of this extension are refused on this machine."
    }
  }

  /// The section about the findings of the policy check.
  var findingsSection: AuditSection {
    let order = policy.findings.sorted { $0.isOpen != $1.isOpen ? $0.isOpen : $0.severity > $1.severity }
    let rows = order.map { finding in
      [
        AuditCell("\(finding.rule.id) \(finding.rule.name)"),
        AuditCell(finding.severity.rawValue, finding.isOpen ? finding.severity.mark : .note),
        AuditCell("\(finding.message) (\(finding.origin))"),
        AuditCell(finding.justification.map { "justified: \($0.reason)" } ?? finding.rule.remediation),
      ]
    }
    let open = policy.findings.count(where: \.isOpen)
    return AuditSection(
      id: "findings",
      title: "Findings of the policy check",
      blocks: [
        .text(
          policy.findings.isEmpty
            ? "The check found nothing."
            : "\(policy.findings.count) finding\(policy.findings.count == 1 ? "" : "s"), \(open) of them without a "
              + "justification in the policy. 'darkroom policy check' prints them with their reasons."
        )
      ]
        + (rows.isEmpty
          ? []
          : [
            .table(
              .init(
                caption: "Findings, those without a justification first",
                columns: ["Rule", "Severity", "Finding", "Fix or justification"],
                rows: rows
              )
            )
          ]),
      data: .array(policy.findings.map(\.json))
    )
  }
}

extension PolicyDescription.Kind {
  /// The meaning of the statement for the auditor.
  fileprivate var mark: AuditMark {
    switch self {
    case .fact: .note
    case .can: .can
    case .cannot: .good
    case .warning: .warning
    }
  }
}

extension LayerFinding.State {
  /// The state as text.
  fileprivate var words: String {
    switch self {
    case .enforced: "enforced"
    case .degraded: "partly enforced"
    case .missing: "missing"
    case .learning: "open for learning"
    }
  }

  /// The meaning of the state for the auditor.
  fileprivate var mark: AuditMark {
    switch self {
    case .enforced: .good
    case .degraded: .warning
    case .missing, .learning: .bad
    }
  }
}

extension FindingSeverity {
  /// The meaning of the severity for the auditor.
  fileprivate var mark: AuditMark {
    switch self {
    case .error: .bad
    case .warning: .warning
    default: .note
    }
  }
}
