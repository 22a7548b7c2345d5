// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import CommandGrammar
internal import LaunchPlanning
internal import PolicyExplanation
internal import PolicyLearning
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
    do { return try file.add(report, scope) } catch { throw failure(error) }
  }

  /// Returns the report on the recorded calls.
  static func report(
    _ picture: LearningProfile,
    _ policy: ResolvedPolicy,
    extent: LearningReport.Extent = .additions,
    trial: ProposalTrial? = nil
  ) throws(CommandFailure) -> LearningReport {
    do { return try LearningReport(reviewing: picture, policy, extent: extent, trial: trial) } catch {
      throw CommandFailure(.data, "\(error)")
    }
  }

  /// Prints the report to standard error.
  static func note(_ report: LearningReport, _ file: LearningFile, _ console: Console) {
    for line in report.lines { console.note("darkroom: learned: \(TextTable.printable(line))") }
    console.note("darkroom: learned: saved in \(TextTable.printable(file.path)); no policy was changed")
  }

  /// Creates the failure for a file of recorded calls that cannot be read or written.
  static func failure(_ error: LearningFileError) -> CommandFailure {
    switch error {
    case .system, .store, .digest: CommandFailure(.store, "\(error)")
    case .tooLarge, .syntax, .fault, .otherBase: CommandFailure(.data, "\(error)")
    }
  }
}
