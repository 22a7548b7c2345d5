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
      title: "In short",
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
      statements.append(statement(.bad, "What is installed is not what was installed; it is not launched."))
    }
    statements += reachStatements
    statements.append(enforcementStatement)
    statements.append(
      policy.proof.holds
        ? statement(
          .note,
          "The compiled filter is proved to do what the policy says, for every call and every argument."
        )
        : statement(.bad, "The compiled filter is not proved to do what the policy says; it is not loaded.")
    )
    let open = policy.findings.filter(\.isOpen)
    let grave = open.count { $0.severity >= .warning }
    statements.append(
      grave > 0
        ? statement(
          .beware,
          "A check of the policy found \(grave == 1 ? "something" : "\(grave) things") to think about that nobody has "
            + "justified."
        )
        : statement(.note, "A check of the policy has no warning that nobody has justified.")
    )
    if let attack {
      let through = attack.count(.gotThrough)
      statements.append(
        through > 0
          ? statement(.bad, "\(through) of \(attack.results.count) attempts to get out got through.")
          : statement(.note, "None of \(attack.results.count) attempts to get out got through.")
      )
    }
    statements.append(
      history.count == 0
        ? statement(.note, "No session of it is in the session log.")
        : statement(
          history.notableCount > 0 ? .beware : .note,
          "Of \(history.count) sessions in the session log, \(history.notableCount) had refused calls or ended badly."
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
          ? "Of the host's files it reads none."
          : "Of the host's files it reads what is in \(paths.joined(separator: ", ")), and changes nothing.",
        items: []
      ),
      AuditStatement(
        mark: .can,
        text: "It writes what it captures, which its app gets, and scratch space, which is erased.",
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
        "What its filter lets through cannot be known: \(error). Such a filter is never loaded, so that no session of it "
        + "starts. Ask its author for a simpler policy."
      return [AuditStatement(mark: .bad, text: text, items: [])]
    }
    let open = AuditedOperation.all.filter { measure.operations[$0.id] != nil }
    let closed = AuditedOperation.all.filter { measure.operations[$0.id] == nil }
    return [
      AuditStatement(
        mark: .can,
        text:
          "It makes \(measure.reachable.count) of the machine's \(measure.known) system calls, \(measure.limited.count) "
          + "of them with certain arguments only. Among what an auditor asks about first, the filter lets it:",
        items: open.isEmpty ? ["do nothing"] : open.map(\.summary)
      ),
      AuditStatement(mark: .good, text: "The filter never lets it:", items: closed.map(\.summary)),
    ]
  }

  private var enforcementStatement: AuditStatement {
    switch policy.enforcement.status {
    case .full:
      AuditStatement(mark: .note, text: "On this machine every layer of the sandbox is enforced.", items: [])
    case .degraded:
      AuditStatement(
        mark: .beware,
        text: "On this machine some layers of the sandbox do less than they could:",
        items: policy.enforcement.layers.filter { $0.state != .enforced }.map { "\($0.name): \($0.detail)" }
      )
    case .unavailable:
      AuditStatement(mark: .bad, text: "On this machine no session runs under its policy.", items: [])
    }
  }

  /// The section about the limits of the report.
  var limitsSection: AuditSection {
    let sentences = [
      "The report is about this machine, this user and this moment. Make it again after an update.",
      "A call that reaches the kernel can still be refused by it: namespaces, Landlock and empty capability sets stand "
        + "behind the filter. A call that is refused by the filter never reaches it.",
      "That no attempt got through shows that the doors we know of are shut, not that there are no others. A fault of "
        + "the kernel in a call that may be made is behind every sandbox of this kind.",
      "The digests say which files were meant, not what is in them. Bills of materials in the bundle are named, and not "
        + "compared with the files.",
      "Whoever can write to the state root can change what this report is made of; the session log's head, kept "
        + "elsewhere, shows that for the log.",
    ]
    return AuditSection(
      id: "limits",
      title: "What this report does not show",
      blocks: [.statements("", sentences.map { .init(mark: .note, text: $0, items: []) })],
      data: .array(sentences.map(JSONValue.string))
    )
  }
}
