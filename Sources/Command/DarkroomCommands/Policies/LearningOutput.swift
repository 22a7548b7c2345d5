// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import CommandGrammar
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyExplanation
internal import PolicyLearning
internal import PolicyLint
internal import PolicyTrials
internal import SandboxEnforcement
internal import SandboxPolicy
internal import SessionStore

/// The options and output that the commands with a learning mode share.
enum LearningOutput {
  /// The option that enables learning in a session.
  static let learn = OptionSpec.value(
    "learn",
    "FILE",
    .file,
    help: "Allow and record calls that a policy could allow, and add them to FILE (see 'policy learn')"
  )

  /// The warning that is printed before a session with learning.
  static let warning =
    "learning: the filter of this session allows every call that a policy could allow; all other layers are enforced, "
    + "and calls that no policy can allow are refused"

  /// Prepares a session for learning and returns the file for the recorded calls, or `nil` if learning is not
  /// enabled.
  static func picture(
    _ parsed: ParsedCommand,
    _ request: inout SessionRequest,
    subject: [String],
    _ console: Console
  ) -> LearningFile? {
    guard let path = parsed.value(of: learn) else { return nil }
    request.learning = .refusedCalls
    console.note("darkroom: \(warning)")
    return LearningFile(
      path,
      request.subject.policy,
      digest: request.extension.policyDigest,
      subject: subject
    )
  }

  /// Adds the calls of a session to the recorded ones, and returns the report on all of them.
  static func learn(
    _ report: SessionReport,
    _ policy: ResolvedPolicy,
    _ file: LearningFile
  ) throws(CommandFailure) -> LearningReport {
    try self.report(try add(report, .refusedCalls, file), policy)
  }

  /// Adds the calls of a session to the recorded ones.
  static func add(
    _ report: SessionReport,
    _ scope: LearningProfile.Scope,
    _ file: LearningFile
  ) throws(CommandFailure) -> LearningProfile {
    let ledger = report.learned ?? LearningLedger()
    let run = LearningProfile.Run(
      at: report.record.startedAt,
      scope: scope,
      ending: "\(report.record.outcome)",
      calls: ledger.total
    )
    do { return try file.add(ledger, of: run) } catch { throw failure(error) }
  }

  /// Returns the report on the recorded calls.
  static func report(
    _ picture: LearningProfile,
    _ policy: ResolvedPolicy,
    extent: LearningReport.Extent = .additions,
    trial: ProposalTrial? = nil
  ) throws(CommandFailure) -> LearningReport {
    var report = LearningReport(
      picture,
      policy,
      base: try base(policy),
      assumed: Set(LearningScope.unreportedCalls + LearningScope.kernelCalls),
      extent: extent,
      trial: trial
    )
    report.review = review(report, policy)
    return report
  }

  /// Returns the other effects of a proposal, or `nil` if there is no proposal or it contradicts itself.
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
      beyond: try? ProposalComparison(of: changed, against: base, seen: report.profile).unobserved,
      findings: findings.map { "\($0.severity.rawValue): \($0.message) [\($0.rule.id) \($0.rule.name)]" }
    )
  }

  /// Prints the report to standard error.
  static func note(_ report: LearningReport, _ file: LearningFile, _ console: Console) {
    for line in report.lines { console.note("darkroom: learned: \(TextTable.printable(line))") }
    console.note("darkroom: learned: saved in \(TextTable.printable(file.path)); no policy was changed")
  }

  /// Returns the policy that a proposal changes.
  private static func base(_ policy: ResolvedPolicy) throws(CommandFailure) -> PolicyProposal.Base {
    guard case .document = policy.extensibility, let text = policy.documents.first?.text else {
      return .named(policy.name)
    }
    // The document is taken from memory: the file may have changed since, and a pipe can be read only once.
    do { return .document(try JSONNode.parse(text).value) } catch { throw CommandFailure(.data, "\(error)") }
  }

  /// Creates the failure for a file of recorded calls that cannot be read or written.
  static func failure(_ error: LearningFileError) -> CommandFailure {
    switch error {
    case .system, .store, .digest: CommandFailure(.store, "\(error)")
    case .tooLarge, .syntax, .fault, .otherBase: CommandFailure(.data, "\(error)")
    }
  }
}
