// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import CommandGrammar
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyLearning
internal import PolicyLint
internal import PolicyTrials
internal import PolicyWords
internal import SandboxEnforcement
internal import SandboxPolicy
internal import SessionStore

/// What commands have in common that learn from sessions.
enum LearningOutput {
  /// Makes a session one that is learned from.
  static let learn = OptionSpec.value(
    "learn",
    "FILE",
    .file,
    help:
      "Let through and note what a policy could allow, and add it to what FILE knows; see 'darkroom policy learn'"
  )

  /// What a person has to know before a program runs that is learned from.
  static let warning =
    "learning: the filter of this session is open for every call that some policy could allow; all other layers are "
    + "whole, and what no policy can allow stays refused"

  /// Prepares a session for learning, if the option says so, and gives the file for what is learned.
  static func picture(
    _ parsed: ParsedCommand,
    _ request: inout SessionRequest,
    subject: [String],
    _ console: Console
  ) -> PictureFile? {
    guard let path = parsed.value(of: learn) else { return nil }
    request.learning = .refusedCalls
    console.note("darkroom: \(warning)")
    return PictureFile(path, request.subject.policy, digest: request.policyDigest, subject: subject)
  }

  /// Adds what a session has taught to what is known, and says what all of it means.
  static func learn(
    _ report: SessionReport,
    _ policy: ResolvedPolicy,
    _ file: PictureFile
  ) throws(CommandFailure) -> LearningReport {
    try self.report(try add(report, .refusedCalls, file), policy)
  }

  /// Adds what a session has taught to what is known.
  static func add(
    _ report: SessionReport,
    _ scope: LearningPicture.Scope,
    _ file: PictureFile
  ) throws(CommandFailure) -> LearningPicture {
    let ledger = report.learned ?? LearningLedger()
    let run = LearningPicture.Run(
      at: report.record.startedAt,
      scope: scope,
      ending: "\(report.record.outcome)",
      calls: ledger.total
    )
    do { return try file.add(ledger, of: run) } catch { throw failure(error) }
  }

  /// What is known, and what it means.
  static func report(
    _ picture: LearningPicture,
    _ policy: ResolvedPolicy,
    extent: LearningReport.Extent = .additions,
    trial: ProposalTrial? = nil
  ) throws(CommandFailure) -> LearningReport {
    var report = LearningReport(
      picture,
      policy,
      base: try base(policy),
      assumed: Set(LearningScope.unaskedCalls + LearningScope.kernelCalls),
      extent: extent,
      trial: trial
    )
    report.review = review(report, policy)
    return report
  }

  /// What else a proposal does; nil if it is none, or its own parts contradict each other.
  private static func review(_ report: LearningReport, _ base: ResolvedPolicy) -> ProposalReview? {
    let text = report.document.bytes(.indented)
    guard report.hasProposal,
      let changed = try? PolicyFinder.resolve(text, source: "the proposal").policy
    else { return nil }
    let known = Set(PolicyLinter.findings(in: base).map { "\($0.rule.id) \($0.subject)" })
    let findings = PolicyLinter.findings(in: changed).filter {
      $0.isOpen && !known.contains("\($0.rule.id) \($0.subject)")
    }
    return ProposalReview(
      beyond: try? ProposalProof(of: changed, against: base, seen: report.picture).beyond,
      findings: findings.map { "\($0.severity.rawValue): \($0.message) [\($0.rule.id) \($0.rule.name)]" }
    )
  }

  /// Prints what was learned as something that is no result.
  static func note(_ report: LearningReport, _ file: PictureFile, _ console: Console) {
    for line in report.lines { console.note("darkroom: learned: \(TextTable.printable(line))") }
    console.note("darkroom: learned: kept in \(TextTable.printable(file.path)); nothing was applied")
  }

  /// What a proposal is a change of.
  private static func base(_ policy: ResolvedPolicy) throws(CommandFailure) -> PolicyProposal.Base {
    guard case .document = policy.standing, let text = policy.documents.first?.text else {
      return .named(policy.name)
    }
    // As it was when it was measured by: the file may have changed since, and a pipe gives its contents once.
    do { return .document(try JSONNode.parse(text).value) } catch { throw CommandFailure(.data, "\(error)") }
  }

  /// What kept a picture from being read or kept, as a failure of the command.
  static func failure(_ error: PictureFileError) -> CommandFailure {
    switch error {
    case .system, .store, .digest: CommandFailure(.store, "\(error)")
    case .tooLarge, .syntax, .fault, .otherBase: CommandFailure(.data, "\(error)")
    }
  }
}
