// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyExplanation
internal import PolicyLearning
internal import PolicyTrials
internal import Refusals
internal import SandboxEnforcement
internal import SandboxPolicy
internal import SessionStore

/// A harness that runs one program repeatedly: first to learn its calls, then to test the proposal.
struct LearningHarness {
  /// The location of the temporary state root.
  let place: LearningWorkspace
  /// The signals of the host.
  let signals: HostSignals
  /// The scope of the calls that are recorded.
  let scope: LearningScope
  /// The file in which the recorded calls are kept.
  let file: LearningFile
  /// The console to which failures are written.
  let console: Console

  /// The result of the learning runs.
  struct Learned {
    /// The recorded calls.
    var picture: LearningProfile
    /// The exit code of the last run.
    var exitCode: Int32
    /// Whether the user stopped the learning before all runs were complete.
    var isCancelled: Bool
  }

  /// Returns the session request for a program.
  func request(_ launch: ProgramLaunch, _ target: LaunchTarget) -> SessionRequest {
    var request = launch.request(target, app: place.app, named: "program", standard: .outputToError)
    let console = console
    request.notice = { console.note("darkroom: \($0)") }
    return request
  }

  /// Runs the program several times and records its calls.
  func learn(_ request: SessionRequest, runs: Int) throws(CommandFailure) -> Learned {
    var request = request
    request.learning = scope
    var learned: Learned?
    for _ in 0..<runs {
      let report = try run(request)
      learned = Learned(
        picture: try LearningOutput.add(
          report,
          scope == .everyCall ? .everyCall : .refusedCalls,
          file
        ),
        exitCode: report.record.outcome.suggestedExitCode,
        isCancelled: report.record.outcome.isHostStopped
      )
      if learned?.isCancelled == true { break }
    }
    guard let learned else { preconditionFailure("there is at least one run") }
    return learned
  }

  /// Tests the program under the proposal, or under the base policy if no change is proposed. Refused calls
  /// are no longer let through.
  func attempt(
    _ proposed: LearningReport,
    _ request: SessionRequest,
    _ subject: (FoundPolicy) throws(CommandFailure) -> LaunchTarget
  ) throws(CommandFailure) -> (trial: ProposalTrial, exitCode: Int32?) {
    var request = request
    if proposed.hasProposal {
      do throws(SystemCallError) {
        try FileSystem.replaceContents(place.proposalPath, with: proposed.document.bytes(.indented))
      } catch { throw CommandFailure(.store, "the proposal could not be tried: \(error)") }
      let found: FoundPolicy
      do { found = try PolicyFinder.find(place.proposalPath) } catch {
        return (ProposalTrial(ending: "", refusals: [], core: [], obstacle: "\(error)"), nil)
      }
      request.subject = try subject(found)
      request.extension.policyDigest = found.digest
    }
    let report = try run(request)
    return (ProposalTrial(report), report.record.outcome.suggestedExitCode)
  }

  /// Runs one session, whose content is discarded.
  private func run(_ request: SessionRequest) throws(CommandFailure) -> SessionReport {
    let report = try SessionCommands.run(request, NoControl(), place.root, signals, console)
    if case .hostFailure(let fault) = report.record.outcome {
      let code: ExitCode = fault.stage == .launch ? .notExecuted : .machine
      throw CommandFailure(code, TextTable.printable("\(report.record.outcome)"))
    }
    if !report.record.outcome.isExpected {
      console.note("darkroom: \(TextTable.printable("\(report.record.outcome)"))")
    }
    for hint in report.hints {
      console.note("darkroom: guessed from its output: \(TextTable.printable(hint.sentence))")
    }
    for text in report.record.violations { console.note("darkroom: \(TextTable.printable(text))") }
    return report
  }
}
