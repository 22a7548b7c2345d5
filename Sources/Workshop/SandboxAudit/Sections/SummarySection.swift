// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import JSONText
internal import LaunchPlanning
internal import PolicyExplanation
internal import PolicyLint
internal import PolicyProof
internal import PolicyTrials
internal import SandboxPolicy
internal import SessionStore

extension AuditEvidence {
  /// The summary at the start of the report.
  var summarySection: AuditSection {
    AuditSection(
      id: "summary",
      title: "Summary",
      blocks: [.statements("", summary)],
      data: .array(
        summary.map {
          [
            "kind": .string($0.mark.rawValue), "text": .string($0.text),
            "items": .array($0.items.map(JSONValue.string)),
          ]
        }
      )
    )
  }

  private var summary: [AuditStatement] {
    func statement(_ mark: AuditMark, _ text: String) -> AuditStatement {
      .init(mark: mark, text: text, items: [])
    }
    var statements: [AuditStatement] = []
    if subject.integrityFault != nil {
      statements.append(
        statement(.bad, "Installed files were changed after the installation; the extension is not launched.")
      )
    }
    statements += reachStatements
    statements.append(enforcementStatement)
    statements.append(
      policy.proof.holds
        ? statement(
          .note,
          "The compiled filter is proved to implement the policy, for every call and every argument."
        )
        : statement(.bad, "The compiled filter is not proved to implement the policy; it is not loaded.")
    )
    let open = policy.findings.filter(\.isOpen)
    let grave = open.count { $0.severity >= .warning }
    statements.append(
      grave > 0
        ? statement(
          .warning,
          "The policy check has \(grave == 1 ? "1 warning" : "\(grave) warnings") without a justification."
        )
        : statement(.note, "The policy check has no warnings without a justification.")
    )
    if let attack {
      let through = attack.count(.gotThrough)
      statements.append(
        through > 0
          ? statement(.bad, "\(through) of \(attack.results.count) attempts to escape got through.")
          : statement(.note, "None of \(attack.results.count) attempts to escape got through.")
      )
    }
    statements.append(
      history.count == 0
        ? statement(.note, "The session log has no session of the extension.")
        : statement(
          history.notableCount > 0 ? .warning : .note,
          "Of \(history.count) session\(history.count == 1 ? "" : "s") in the session log, \(history.notableCount) had "
            + "refused calls or failed."
        )
    )
    return statements
  }

  /// The statements about reading, writing and system calls.
  private var reachStatements: [AuditStatement] {
    let paths = policy.found.policy.readOnly.map(\.path)
    return [
      AuditStatement(
        mark: .can,
        text: paths.isEmpty
          ? "The extension reads no files of the host."
          : "The extension reads host files in \(paths.joined(separator: ", ")), and changes none of them.",
        items: []
      ),
      AuditStatement(
        mark: .can,
        text: "The extension writes captures, which its app receives, and scratch space, which is erased.",
        items: []
      ),
    ] + callStatements
  }

  /// The statements about the operations that the filter permits and refuses.
  private var callStatements: [AuditStatement] {
    let measure: ExposureMeasure
    switch reach.exposure {
    case .success(let known): measure = known
    case .failure(let error):
      let text =
        "The calls that the filter allows cannot be determined: \(error). Such a filter is never loaded, so no "
        + "session of the extension starts. Request a simpler policy from its author."
      return [AuditStatement(mark: .bad, text: text, items: [])]
    }
    let open = AuditedOperation.all.filter { measure.operations[$0.id] != nil }
    let closed = AuditedOperation.all.filter { measure.operations[$0.id] == nil }
    return [
      AuditStatement(
        mark: .can,
        text:
          "The filter allows \(measure.reachable.count) of the machine's \(measure.known) system calls, "
          + "\(measure.limited.count) of them only with certain arguments. Of the most sensitive operations, it allows "
          + "the extension to:",
        items: open.isEmpty ? ["do none of them"] : open.map(\.summary)
      ),
      AuditStatement(
        mark: .good,
        text: "The filter never allows the extension to:",
        items: closed.map(\.summary)
      ),
    ]
  }

  private var enforcementStatement: AuditStatement {
    switch policy.enforcement.status {
    case .full:
      AuditStatement(mark: .note, text: "Every layer of the sandbox is enforced on this machine.", items: [])
    case .degraded:
      AuditStatement(
        mark: .warning,
        text: "Some layers of the sandbox are not enforced on this machine, or only partly:",
        items: policy.enforcement.layers.filter { $0.state != .enforced }.map { "\($0.name): \($0.detail)" }
      )
    case .unavailable:
      AuditStatement(mark: .bad, text: "No session of the extension can run on this machine.", items: [])
    }
  }

  /// The section about the limits of the report.
  var limitsSection: AuditSection {
    let sentences = [
      "The report applies to this machine, this user and the time of its creation. Create it again after an update.",
      "The kernel can still refuse a call that the filter allows, because of namespaces, Landlock or empty capability "
        + "sets. A call that the filter refuses never reaches the kernel.",
      "If no attempt to escape got through, the known ways are blocked; other ways may exist. No sandbox of this kind "
        + "protects from a kernel bug in an allowed call.",
      "The digests identify the files, and say nothing about their contents. Bills of materials in the bundle are "
        + "listed, but not compared with the files.",
      "A user who can write to the state root can change the data of this report. A copy of the session log's head "
        + "that is kept elsewhere reveals changes of the log.",
    ]
    return AuditSection(
      id: "limits",
      title: "Limits of this report",
      blocks: [.statements("", sentences.map { .init(mark: .note, text: $0, items: []) })],
      data: .array(sentences.map(JSONValue.string))
    )
  }
}
