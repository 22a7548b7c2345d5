// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
package import JSONText
package import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyLearning
internal import Refusals
package import SandboxLaunch
internal import SandboxPolicy
package import SessionStore

/// A session from the creation of its directory to the exit of its last process.
package struct RunningSession {
  /// The request for the session.
  let request: SessionRequest
  let id: SessionID
  /// The start of the session, in milliseconds since 1970.
  let startedAt: Int64
  /// The path of the session content directory on the host.
  let contentPath: String
  /// The path of the app's shared assets, or `nil` if there are none.
  let assetsPath: String?
  /// The app context.
  let context: JSONValue
  /// The user and group that the extension runs as, outside its namespaces.
  let identity: LaunchPlan.Identity
  /// The start of the request, in ``MonotonicClock`` nanoseconds.
  let startTime: UInt64
  /// The file that receives the app context when a prewarmed extension is launched, or `nil` if the context
  /// is known at the start.
  var contextFile: String?
  /// Executes the launch plan, or `nil` to execute it without a broker.
  var launcher: HostLauncher?
  /// Makes the journal of a prewarmed session durable, or `nil` if it is durable.
  var journal: LaunchJournal?
  /// Writes the journal, before which no program is executed, or `nil` if it is written.
  var writing: JournalWrite?

  /// Creates a session from its request and from what was prepared for it.
  package init(
    request: SessionRequest,
    id: SessionID,
    startedAt: Int64,
    contentPath: String,
    assetsPath: String?,
    context: JSONValue,
    identity: LaunchPlan.Identity,
    began: UInt64,
    contextFile: String? = nil,
    launcher: HostLauncher? = nil,
    journal: LaunchJournal? = nil,
    writing: JournalWrite? = nil
  ) {
    self.request = request
    self.id = id
    self.startedAt = startedAt
    self.contentPath = contentPath
    self.assetsPath = assetsPath
    self.context = context
    self.identity = identity
    self.startTime = began
    self.contextFile = contextFile
    self.launcher = launcher
    self.journal = journal
    self.writing = writing
  }

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
          + started.launch.process.timings.map(Self.step)
      }
      (ownRoot, learning) = (started.launch.ownRoot, started.learning)
      draft.enforcement = started.enforcement
      let meter = started.meter
      explained = try drive(started, wiring, control, signals, &draft)
      draft.enforcement?.note(peak: meter.peak)
    } catch let error as PlanError {
      draft.outcome = .hostFailure(.init(step: "plan", errno: nil, sentence: "\(error)"))
    } catch let error as SandboxLaunchError {
      let sentence = LaunchExplanation.sentence(error, MachineReader.read(stateRoot: nil))
      draft.outcome = .hostFailure(error.hostFault(sentence))
    } catch let error as SystemCallError {
      throw .host(error)
    } catch let error as StoreError {
      throw .store(error)
    } catch {
      draft.outcome = .hostFailure(.init(step: "launch", errno: nil, sentence: "\(error)"))
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
    let paths = started.launch.paths
    var terms = terms(wiring.camera.description, control)
    terms.microphone = wiring.sound?.stream
    let debugger = started.launch.process.stopped.map { DebuggerMonitor($0, notice: request.notice) }
    let machine = SessionMachine(terms, launchedAt: launched)
    let start = start(terms, machine, wiring.preview != nil, paths)
    let root = started.launch.process.processID
    var driver = SessionDriver(
      machine: machine,
      process: started.launch.process,
      wiring: wiring,
      refusals: started.refusals,
      control: control,
      signals: signals,
      places: SessionDriver.Directories(
        app: request.app,
        session: id,
        bundle: request.subject.program.bundle
      ),
      surroundings: request.dependencies,
      limit: ContentLimit(
        bytes: Int64(terms.sessionBytes) + Int64(terms.overshoot),
        entries: Int64(terms.sessionFiles)
      ),
      meter: started.meter,
      nameless: started.unlinkedFiles,
      scratch: paths == .ownRoot
        ? nil : ScratchSpace(path: paths.container, bytes: request.subject.policy.scratchBytes),
      growth: FileSizeLimiter(
        root: root,
        most: LaunchPlanner.initialFileSizeLimit(request.subject.policy, maximumBytes: request.maximumBytes),
        owner: identity.contentOwner
      ),
      freeReserve: request.quota.freeReserve,
      debugger: debugger
    )
    if request.refusalReport == .whileRunning, let refusals = started.refusals {
      driver.refusalNotices = RefusalNotices(refusals, request.notice)
    }
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
      draft.violations.append("some of the output was lost: its reader took nothing for five seconds")
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

// MARK: - What it begins with

extension RunningSession {
  private var initialRecord: SessionRecord {
    var draft = SessionRecord(
      sessionID: id,
      app: request.app.id,
      extensionID: request.extensionID,
      startedAt: startedAt,
      endedAt: startedAt,
      outcome: .dismissed(.init(by: .hostDied))
    )
    draft.policy = .init(name: request.subject.policy.name, digest: request.policyDigest)
    draft.executableDigest = request.executableDigest
    draft.debugging = request.debugger == .required ? .requested : nil
    draft.permissions = request.dependencies.permissions.resolved.recorded
    return draft
  }

  /// Returns the session's input to the launch planner. `identity` replaces the identity of the session.
  package func plannerSession(
    _ wiring: SessionWiring,
    _ identity: LaunchPlan.Identity? = nil
  ) -> LaunchPlanner.Session {
    var session = LaunchPlanner.Session(
      id: id,
      content: contentPath,
      library: request.hasLibrary ? request.app.root.session(id).libraryDirectory : nil,
      assets: assetsPath,
      context: context.bytes(),
      standard: wiring.standardDescriptors,
      named: wiring.namedDescriptors,
      identity: identity ?? self.identity,
      clocks: wiring.clocks
    )
    session.contextFile = contextFile
    session.learning = request.learning
    session.maximumBytes = request.maximumBytes
    return session
  }

  private func terms(_ camera: CameraDescription?, _ control: any SessionControl) -> SessionTerms {
    func nanoseconds(_ seconds: Double) -> UInt64 { UInt64(seconds * 1_000_000_000) }
    let limits = request.subject.policy.limits
    var terms = SessionTerms(
      conversation: request.conversation,
      launchDeadline: nanoseconds(request.launchDeadline),
      dismissalGrace: nanoseconds(request.dismissalGrace),
      wallClock: nanoseconds(Double(limits.wallClock)),
      sessionBytes: limits.sessionBytes,
      sessionFiles: limits.sessionFiles,
      permissions: request.dependencies.permissions.permissions,
      camera: camera,
      watchdog: watchdogSeconds.map(nanoseconds),
      idleTimeout: request.idleTimeout > 0 ? nanoseconds(request.idleTimeout) : nil,
      activityCap: nanoseconds(request.activityCap),
      lockState: request.dependencies.lock.state,
      endsWhenLocked: endsWhenLocked,
      launch: request.dependencies.launch,
      orientations: request.orientations
    )
    terms.debugger = request.debugger
    let hasUser = control.hasUser || request.dependencies.keys?.hasUser == true
    terms.mostCameraControls = hasUser ? ProtocolLimits.cameraControls : 0
    request.quota.apply(&terms)
    return terms
  }

  /// The time of the watchdog in seconds, or `nil` if there is none.
  private var watchdogSeconds: Double? {
    switch request.watchdog {
    case .asLaunchDeadline: request.launchDeadline
    case .seconds(let seconds): seconds
    case .off: nil
    }
  }

  private var endsWhenLocked: Bool {
    switch request.lockDismissal {
    case .fromLockScreen: request.dependencies.launch.surface == .lockScreen
    case .always: true
    case .never: false
    }
  }

  private func start(_ terms: SessionTerms, _ machine: SessionMachine, _ preview: Bool, _ paths: SandboxPaths)
    -> SessionStart
  {
    SessionStart(
      sessionID: id.description,
      app: request.app.id,
      extension: request.extensionID,
      sessionDirectory: paths.session,
      containerDirectory: paths.container,
      extensionDirectory: paths.bundle,
      appContext: context,
      lockState: terms.lockState,
      permissions: terms.permissions,
      deadlines: Deadlines(
        launch: request.launchDeadline,
        dismissal: request.dismissalGrace,
        watchdog: machine.isWatched ? watchdogSeconds : nil
      ),
      camera: terms.camera,
      scene: terms.initialScene,
      launch: request.dependencies.launch,
      libraryDirectory: paths.library,
      assetsDirectory: assetsPath == nil ? nil : paths.assets,
      preview: preview,
      cameraControls: terms.mostCameraControls,
      microphone: terms.microphone?.sound
    )
  }

  /// Returns the properties of the session for a photo service. Added assets count against the same limits as
  /// written files.
  private func photoSession(_ paths: SandboxPaths) -> PhotoSession {
    let limits = request.subject.policy.limits
    return PhotoSession(
      id: id,
      app: request.app.id,
      content: contentPath,
      library: request.app.root.session(id).libraryDirectory,
      insideLibrary: paths.library,
      mostAssets: limits.sessionFiles,
      maximumBytes: Int64(limits.sessionBytes),
      maximumAssetBytes: Int64(limits.fileSize)
    )
  }

  private static func step(_ timing: LaunchTiming) -> SessionRecord.Step {
    SessionRecord.Step(name: "launch: \(timing.name)", microseconds: Int64(timing.nanoseconds / 1000))
  }

  private func step(_ name: String, from: UInt64, to: UInt64) -> SessionRecord.Step {
    SessionRecord.Step(name: name, microseconds: Int64((to - from) / 1000))
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
