// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import CaptureHost
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyLearning
internal import PolicyTrials
internal import PolicyWords
internal import Refusals
internal import SandboxEnforcement
internal import SandboxPolicy
internal import SessionStore

/// Runs one program again and again: first to learn from it, then to try what was proposed.
struct LearningBench {
  /// Where the sessions are.
  let place: LearningPlace
  /// The host's signals.
  let signals: HostSignals
  /// Which calls are noted.
  let scope: LearningScope
  /// Where what is known is kept.
  let file: PictureFile
  /// Where failures are told.
  let console: Console

  /// What came of learning.
  struct Learned {
    /// What is known.
    var picture: LearningPicture
    /// The exit code of the last run.
    var exitCode: Int32
    /// Whether a person has ended it before all runs were made.
    var isBrokenOff: Bool
  }

  /// A session of the program.
  func request(_ subject: LaunchSubject, _ found: FoundPolicy, camera: String?) -> SessionRequest {
    var request = SessionRequest(
      subject: subject,
      app: place.app,
      extensionID: "\(place.app.id).program",
      policyDigest: found.digest,
      conversation: .silent,
      frames: camera == nil ? .none : .stream(.frameRate),
      camera: camera,
      standard: .aside
    )
    request.watchdog = .off
    let console = console
    request.notice = { console.note("darkroom: \($0)") }
    return request
  }

  /// Learns from some runs.
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
        isBrokenOff: report.record.outcome.isOfPerson
      )
      if learned?.isBrokenOff == true { break }
    }
    guard let learned else { preconditionFailure("there is at least one run") }
    return learned
  }

  /// Runs the program under the proposal, or under the policy itself if that suffices; nothing is let through any more.
  func attempt(
    _ proposed: LearningReport,
    _ request: SessionRequest,
    _ subject: (FoundPolicy) throws(CommandFailure) -> LaunchSubject
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
      request.policyDigest = found.digest
    }
    let report = try run(request)
    let (core, refusals) = report.record.refusals.reduce(into: ([String](), [String]())) { lists, refusal in
      if refusal.origin["kind"]?.string == "core" {
        lists.0.append("\(refusal.callText): \(refusal.reason)")
      } else {
        lists.1.append("\(refusal.callText): \(refusal.reason)")
      }
    }
    let trial = ProposalTrial(ending: "\(report.record.outcome)", refusals: refusals, core: core)
    return (trial, report.record.outcome.suggestedExitCode)
  }

  /// One session, of which nothing is kept.
  private func run(_ request: SessionRequest) throws(CommandFailure) -> SessionReport {
    let report = try SessionCommands.run(request, NoControl(), place.root, signals, console)
    if case .hostFailure(let fault) = report.record.outcome {
      let code: ExitCode = fault.stage == .launch ? .notExecuted : .machine
      throw CommandFailure(code, TextTable.printable("\(report.record.outcome)"))
    }
    if !report.record.outcome.goesWithoutSaying {
      console.note("darkroom: \(TextTable.printable("\(report.record.outcome)"))")
    }
    for hint in report.hints {
      console.note("darkroom: guessed from its output: \(TextTable.printable(hint.sentence))")
    }
    for text in report.record.violations { console.note("darkroom: \(TextTable.printable(text))") }
    return report
  }
}

extension SessionOutcome {
  /// Whether somebody has ended the session from outside.
  fileprivate var isOfPerson: Bool {
    if case .dismissed(let dismissal) = self { dismissal.by == .hostStopped } else { false }
  }
}

extension SessionRecord.Refusal {
  /// The call as a program would write it.
  fileprivate var callText: String { "\(call)(\(arguments.map(\.text).joined(separator: ", ")))" }
}
