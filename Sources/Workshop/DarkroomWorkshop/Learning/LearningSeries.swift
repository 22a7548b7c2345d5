// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import DarkroomHost
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyLearning
internal import PolicyTrials
internal import SandboxEnforcement
internal import SandboxLaunch
internal import SessionStore

/// A series of runs of one program: first to learn its calls, then to test the proposal.
struct LearningSeries {
  let program: ProgramLaunchOptions
  let options: LearningOptions
  let base: FoundPolicy
  /// The location of the temporary state directory.
  let workspace: LearningWorkspace
  /// The file in which the recorded calls are kept.
  let file: LearningFile
  /// The signals that stop the series.
  let signals: HostSignals
  /// A closure that receives messages for the user.
  let notice: @Sendable (String) -> Void

  private var recordsEveryCall: Bool { options.recordsEveryCall || options.isMinimal }
  private var extent: LearningReport.Extent { options.isMinimal ? .least : .additions }

  /// Runs the program, and returns what was learned.
  func run() throws(HostError) -> LearnedPolicy {
    var profile: LearningProfile
    var exitCode: Int32 = 0
    do throws(LearningFileError) {
      if options.discardsEarlierRuns { try file.forget() }
      // A file that belongs to another policy is reported before the program runs.
      profile = try file.read()
    } catch { throw HostError(error) }
    var request = try request(base)
    request.learning = recordsEveryCall ? .everyCall : .refusedCalls
    for _ in 0..<options.runs {
      let report = try session(request)
      do throws(LearningFileError) {
        profile = try file.add(report, recordsEveryCall ? .everyCall : .refusedCalls)
      } catch { throw HostError(error) }
      exitCode = report.record.outcome.suggestedExitCode
    }
    guard options.testsProposal else {
      return LearnedPolicy(try report(profile, nil), exitCode: exitCode, file: file.path)
    }
    let (trial, code) = try test(try report(profile, nil))
    return LearnedPolicy(try report(profile, trial), exitCode: code ?? exitCode, file: file.path)
  }

  /// Runs the program under the proposal, or under the base policy if no change is proposed.
  private func test(
    _ proposed: LearningReport
  ) throws(HostError) -> (trial: ProposalTrial, exitCode: Int32?) {
    var tested = base
    if proposed.hasProposal {
      do throws(SystemCallError) {
        try FileSystem.replaceContents(
          workspace.proposalPath,
          with: proposed.document.bytes(.indented)
        )
      } catch { throw HostError(error) }
      do throws(PolicyFindingError) { tested = try PolicyFinder.find(workspace.proposalPath) } catch {
        return (ProposalTrial(ending: "", refusals: [], core: [], obstacle: "\(error)"), nil)
      }
    }
    let report = try session(try request(tested))
    return (ProposalTrial(report), report.record.outcome.suggestedExitCode)
  }

  private func report(
    _ profile: LearningProfile,
    _ trial: ProposalTrial?
  ) throws(HostError) -> LearningReport {
    do throws(JSONSyntaxError) {
      return try LearningReport(reviewing: profile, base.policy, extent: extent, trial: trial)
    } catch { throw .policy(.init("\(error)")) }
  }

  /// Returns the request for a session of the program.
  private func request(_ policy: FoundPolicy) throws(HostError) -> SessionRequest {
    let launch = ProgramLaunch(
      [program.program] + program.arguments,
      policy: policy,
      readOnly: program.readOnlyPaths,
      environment: program.environment.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) },
      camera: program.camera?.description
    )
    let found: (target: LaunchTarget, notes: [String])
    do throws(PlanError) { found = try launch.target(workspace.root) } catch {
      throw .program(.init("\(error)"))
    }
    for note in found.notes { notice(note) }
    var request = launch.request(
      found.target,
      app: workspace.app,
      named: "program",
      standard: .logged(echo: nil)
    )
    request.notice = notice
    return request
  }

  /// Runs one session, whose content is discarded.
  private func session(_ request: SessionRequest) throws(HostError) -> SessionReport {
    let report: SessionReport
    do throws(SessionError) {
      report = try SessionRunner(stateRoot: workspace.root, signals: signals)
        .run(request, control: NoControl())
    } catch { throw HostError(error) }
    if case .hostFailure = report.record.outcome { throw .program(.init("\(report.record.outcome)")) }
    if report.record.outcome.isHostStopped { throw .cancelled }
    return report
  }
}

extension LearnedPolicy {
  /// Creates a result from a report.
  init(_ report: LearningReport, exitCode: Int32, file: String) {
    proposal = report.hasProposal ? String(decoding: report.document.bytes(.indented), as: UTF8.self) : nil
    lines = report.lines
    reportJSON = String(decoding: report.json.bytes(.indented), as: UTF8.self)
    (runs, stableRuns) = (report.profile.runs.count, report.profile.stableRuns)
    trial = report.trial.map { trial in
      Trial(
        outcome: trial.ending,
        refusals: trial.refusals,
        unavoidableRefusals: trial.core,
        obstacle: trial.obstacle
      )
    }
    (self.exitCode, stateFile) = (exitCode, file)
  }
}
