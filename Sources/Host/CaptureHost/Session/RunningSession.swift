// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
package import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyLearning
internal import Refusals
package import SandboxLaunch
internal import SandboxPolicy
package import SessionStore

/// A session from the creation of its directory to the exit of its last process.
package struct RunningSession {
  let request: SessionRequest
  /// The directories and the identity that were prepared for the session.
  let workspace: Workspace
  /// The app context.
  let context: JSONValue
  /// The start of the request, in ``MonotonicClock`` nanoseconds.
  let startTime: UInt64
  /// The file that receives the app context when a prewarmed extension is launched, or `nil` if the context
  /// is known at the start.
  package var contextFile: String?
  /// Executes the launch plan, or `nil` to execute it without a broker.
  var launcher: HostLauncher?
  /// Makes the journal of a prewarmed session durable, or `nil` if it is durable.
  var journal: LaunchJournal?
  /// Writes the journal, before which no program is executed, or `nil` if it is written.
  var writing: JournalWrite?

  /// The directories and the identity that are prepared for a session.
  package struct Workspace: Sendable {
    /// The ID of the session.
    let id: SessionID
    /// The start of the session, in milliseconds since 1970.
    let startedAt: Int64
    /// The path of the session content directory on the host.
    let contentPath: String
    /// The path of the app's shared assets, or `nil` if there are none.
    let assetsPath: String?
    /// The user and group that the extension runs as, outside its namespaces.
    let identity: LaunchPlan.Identity

    /// Describes the workspace of a session.
    package init(_ workspace: borrowing SessionWorkspace, _ identity: LaunchPlan.Identity, assets: String?) {
      id = workspace.id
      startedAt = workspace.startedAt
      contentPath = workspace.places.contentDirectory
      assetsPath = assets
      self.identity = identity
    }
  }

  /// Creates a session from its request and from what was prepared for it.
  package init(
    _ request: SessionRequest,
    in workspace: Workspace,
    context: JSONValue,
    startTime: UInt64
  ) {
    self.request = request
    self.workspace = workspace
    self.context = context
    self.startTime = startTime
  }

  var id: SessionID { workspace.id }

  /// The result of a session that has no process left.
  struct Finished {
    /// The session record, without the entries about the content.
    var draft: SessionRecord
    /// The end of the extension's output.
    var outputTail: String
    /// The paths that may explain the last lines of a failed extension.
    var hints: [PathExplanation]
    /// The recorded calls of learning mode, or `nil` if it was not enabled.
    var learned: LearningLedger?
    /// The number of refusals that were explained while the session ran.
    var explainedRefusals = 0
  }

  /// Launches the extension, unless it is already started, and drives it to its end. A failed launch is an
  /// outcome, and not an error.
  func run(
    _ planner: LaunchPlanner,
    _ wiring: SessionWiring,
    _ control: any SessionControl,
    _ signals: HostSignals?,
    _ prewarmed: consuming StartedSession? = nil
  ) throws(SessionError) -> Finished {
    var draft = initialRecord
    var ownRoot: LaunchPlan?
    var learning: LearningSupervisor?
    var explained = 0
    do {
      let started: StartedSession
      switch consume prewarmed {
      case .some(let prewarmed):
        started = prewarmed
        draft.steps = [step("warm", from: startTime, to: MonotonicClock.now)]
      case .none:
        started = try start(planner, wiring)
        draft.steps =
          [step("prepare", from: startTime, to: started.launch.prepared)]
          + started.launch.process.findings.timings.map(Self.step)
      }
      (ownRoot, learning) = (started.launch.ownRoot, started.learning)
      draft.enforcement = started.enforcement
      let meter = started.meter
      explained = try drive(started, wiring, control, signals, &draft)
      draft.enforcement?.note(peak: meter.peak)
    } catch let error as SystemCallError {
      throw .host(error)
    } catch let error as StoreError {
      throw .store(error)
    } catch {
      draft.outcome = .hostFailure(Self.fault(error))
    }
    wiring.camera.stop()
    wiring.sound?.stop()
    draft.endedAt = WallClock.milliseconds
    note(wiring, &draft)
    let tail = wiring.output?.tail ?? ""
    return Finished(
      draft: draft,
      outputTail: tail,
      hints: ownRoot.map { hints(tail, draft.outcome, $0) } ?? [],
      learned: learning?.finish(),
      explainedRefusals: explained
    )
  }

  /// Launches the extension. If another seccomp supervisor listens to this host, the launch is repeated
  /// without reports of refused calls.
  package func launch(_ plan: inout LaunchPlan) throws(SandboxLaunchError) -> SandboxedProcess {
    do {
      return try execute(plan)
    } catch  where plan.fallBack(after: error) { return try execute(plan) }
  }

  /// Executes a plan. The sandbox is created while the journal is being written.
  private func execute(_ plan: LaunchPlan) throws(SandboxLaunchError) -> SandboxedProcess {
    let permission = writing.map { writing in LaunchPermission { (try? writing.wait()) != nil } }
    return if let launcher {
      try launcher.launch(plan, permission)
    } else { try SandboxLauncher.launch(plan, permission: permission) }
  }

  /// Drives the session to its end. Returns the number of refusals that were explained meanwhile.
  private func drive(
    _ started: consuming StartedSession,
    _ wiring: SessionWiring,
    _ control: any SessionControl,
    _ signals: HostSignals?,
    _ draft: inout SessionRecord
  ) throws(SystemCallError) -> Int {
    let launched = MonotonicClock.now
    request.observer?.started(id, started.enforcement)
    let paths = started.launch.paths
    let terms = terms(wiring, control)
    let debugger = started.launch.process.findings.stopped.map { DebuggerMonitor($0, notice: request.notice) }
    let machine = SessionMachine(terms, launchedAt: launched)
    let start = start(terms, machine, wiring.preview != nil, paths)
    var driver = SessionDriver(
      machine: machine,
      process: started.launch.process,
      wiring: wiring,
      meters: meters(started, terms.content, paths),
      refusals: started.refusals,
      control: control,
      signals: signals,
      places: SessionDriver.Directories(
        app: request.extension.app,
        session: id,
        bundle: request.subject.program.bundle
      ),
      dependencies: request.dependencies,
      debugger: debugger
    )
    if request.refusalReport == .whileRunning, let refusals = started.refusals {
      driver.refusalNotices = RefusalNotices(refusals, request.notice)
    }
    driver.observer = request.observer
    request.dependencies.photos?.begin(photoSession(paths))
    // Executed even if the session cannot be terminated, so that no asset is copied during the migration.
    defer { draft.ingested = request.dependencies.photos?.finish() ?? [] }
    let result = try driver.run(start, settling: journal)
    note(result, wiring, &draft)
    draft.steps.append(step("session", from: launched, to: MonotonicClock.now))
    return result.explainedRefusals
  }

  /// Adds the result of a driven session to the record.
  private func note(_ result: SessionDriver.Result, _ wiring: SessionWiring, _ draft: inout SessionRecord) {
    draft.outcome = result.outcome
    draft.debugging = result.debugging
    draft.uses = result.uses
    draft.note(result.refusals)
    draft.cameraControls = result.cameraControls.map(SessionRecord.CameraControl.init)
    draft.frames = wiring.camera.counts.map { counts in
      SessionRecord.Frames(
        produced: Int64(counts.produced),
        consumed: Int64(counts.consumed),
        dropped: Int64(counts.dropped),
        presented: Int64(clamping: result.presentedFrame)
      )
    }
    draft.frames?.latency = wiring.preview?.recordedLatency
    draft.sound = wiring.sound.map { sound in
      let counts = sound.counts
      return SessionRecord.Sound(
        produced: Int64(counts.produced),
        consumed: Int64(counts.consumed),
        dropped: Int64(counts.dropped)
      )
    }
  }

  /// Returns the refused paths that may explain the last lines of a failed extension.
  private func hints(_ tail: String, _ outcome: SessionOutcome, _ plan: LaunchPlan) -> [PathExplanation] {
    guard outcome.suggestedExitCode != 0 else { return [] }
    return OutputHints.hints(
      tail,
      root: RootModel(plan),
      policy: request.subject.policy,
      host: HostFile.inspect
    )
  }

  private func note(_ wiring: SessionWiring, _ draft: inout SessionRecord) {
    if !wiring.finishRelay() {
      draft.violations.append("some output was lost: the reader did not read for 5 seconds")
    }
    if let failure = wiring.camera.failure { draft.violations.append("the camera failed: \(failure)") }
    if let failure = wiring.sound?.failure { draft.violations.append("the microphone failed: \(failure)") }
    if let output = wiring.output {
      if let failure = output.failure { draft.violations.append("the log ends early: \(failure)") }
      draft.log = .init(bytes: Int64(output.bytes), truncated: output.isTruncated)
    }
  }
}

extension SessionRecord.CameraControl {
  /// Creates the record entry of a control.
  fileprivate init(_ control: CameraControl) {
    self.init(
      id: control.id,
      kind: control.kind.rawValue,
      title: control.title,
      value: control.value,
      shown: control.displayText
    )
  }
}

// MARK: - Failures of the launch

extension RunningSession {
  /// Returns the failure for the record of a session that was not launched.
  private static func fault(_ error: any Error) -> SessionOutcome.HostFault {
    switch error {
    case let error as PlanError: .init(step: "plan", errno: nil, sentence: "\(error)")
    case let error as SandboxLaunchError:
      error.hostFault(LaunchExplanation.sentence(error, MachineReader.read(stateRoot: nil)))
    default: .init(step: "launch", errno: nil, sentence: "\(error)")
    }
  }
}

extension SandboxLaunchError {
  /// Returns the failure in the form of a session record, with an explanation.
  fileprivate func hostFault(_ sentence: String) -> SessionOutcome.HostFault {
    switch self {
    case .host(let error): .init(step: error.call, errno: error.errno.name, sentence: sentence)
    case .child(let failure): .init(step: failure.step, errno: failure.errno.name, sentence: sentence)
    }
  }
}
