// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import JSONText
package import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyLearning
internal import Refusals
package import SandboxLaunch
internal import SandboxPolicy
internal import SessionStore

/// The terms, the first message, the plan and the record of a session, as they follow from its request.
extension RunningSession {
  var initialRecord: SessionRecord {
    var draft = SessionRecord(
      sessionID: id,
      app: request.extension.app.id,
      extensionID: request.extension.id,
      startedAt: workspace.startedAt,
      endedAt: workspace.startedAt,
      outcome: .dismissed(.init(by: .hostDied))
    )
    draft.policy = .init(name: request.subject.policy.name, digest: request.extension.policyDigest)
    draft.executableDigest = request.extension.executableDigest
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
      files: .init(
        content: workspace.contentPath,
        library: request.hasLibrary ? request.extension.app.root.session(id).libraryDirectory : nil,
        assets: workspace.assetsPath
      ),
      context: context.bytes(),
      standard: wiring.standardDescriptors,
      named: wiring.namedDescriptors,
      identity: identity ?? workspace.identity,
      clocks: wiring.clocks
    )
    session.contextFile = contextFile
    session.learning = request.learning
    session.maximumBytes = request.maximumBytes
    return session
  }

  func terms(_ wiring: SessionWiring, _ control: any SessionControl) -> SessionTerms {
    func nanoseconds(_ seconds: Double) -> UInt64 { UInt64(seconds * 1_000_000_000) }
    let limits = request.subject.policy.limits
    var times = SessionTerms.Times(
      launchDeadline: nanoseconds(request.times.launchDeadline),
      dismissalGrace: nanoseconds(request.times.dismissalGrace),
      wallClock: nanoseconds(Double(limits.wallClock))
    )
    times.watchdog = watchdogSeconds.map(nanoseconds)
    times.idleTimeout = request.times.idleTimeout > 0 ? nanoseconds(request.times.idleTimeout) : nil
    times.activityCap = nanoseconds(request.times.activityCap)
    let hasUser = control.hasUser || request.dependencies.keys?.hasUser == true
    var terms = SessionTerms(
      conversation: request.conversation,
      times: times,
      content: .init(bytes: limits.sessionBytes, files: limits.sessionFiles),
      launch: .init(
        origin: request.dependencies.launch,
        lockState: request.dependencies.lock.state,
        endsWhenLocked: endsWhenLocked,
        permissions: request.dependencies.permissions.permissions,
        orientations: request.orientations
      ),
      devices: .init(
        camera: wiring.camera.description,
        maximumCameraControls: hasUser ? ProtocolLimits.cameraControls : 0,
        microphone: wiring.sound?.stream
      )
    )
    terms.debugger = request.debugger
    terms.clockLead = wiring.camera.extensionClockLead
    request.quota.apply(&terms)
    return terms
  }

  /// The time of the watchdog in seconds, or `nil` if there is none.
  private var watchdogSeconds: Double? {
    switch request.times.watchdog {
    case .asLaunchDeadline: request.times.launchDeadline
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

  func start(_ terms: SessionTerms, _ machine: SessionMachine, _ preview: Bool, _ paths: SandboxPaths)
    -> SessionStart
  {
    var start = SessionStart(
      .init(sessionID: id.description, app: request.extension.app.id, extension: request.extension.id),
      directories: .init(
        session: paths.session,
        container: paths.container,
        extension: paths.bundle,
        library: paths.library,
        assets: workspace.assetsPath == nil ? nil : paths.assets
      ),
      appContext: context,
      lockState: terms.launch.lockState,
      permissions: terms.launch.permissions,
      deadlines: Deadlines(
        launch: request.times.launchDeadline,
        dismissal: request.times.dismissalGrace,
        watchdog: machine.isWatched ? watchdogSeconds : nil
      ),
      devices: .init(
        camera: terms.devices.camera,
        microphone: terms.devices.microphone?.sound,
        preview: preview,
        cameraControls: terms.devices.maximumCameraControls
      )
    )
    start.scene = terms.initialScene
    start.launch = request.dependencies.launch
    return start
  }

  /// Returns the properties of the session for a photo service. Added assets count against the same limits as
  /// written files.
  func photoSession(_ paths: SandboxPaths) -> PhotoSession {
    let limits = request.subject.policy.limits
    return PhotoSession(
      id: id,
      app: request.extension.app.id,
      content: workspace.contentPath,
      library: request.extension.app.root.session(id).libraryDirectory,
      insideLibrary: paths.library,
      mostAssets: limits.sessionFiles,
      maximumBytes: Int64(limits.sessionBytes),
      maximumAssetBytes: Int64(limits.fileSize)
    )
  }

  static func step(_ timing: LaunchTiming) -> SessionRecord.Step {
    SessionRecord.Step(name: "launch: \(timing.name)", microseconds: Int64(timing.nanoseconds / 1000))
  }

  func step(_ name: String, from: UInt64, to: UInt64) -> SessionRecord.Step {
    SessionRecord.Step(name: name, microseconds: Int64((to - from) / 1000))
  }

  /// Returns the meters of a started session.
  func meters(
    _ started: borrowing StartedSession,
    _ content: SessionTerms.Content,
    _ paths: SandboxPaths
  ) -> SessionDriver.Meters {
    let policy = request.subject.policy
    return SessionDriver.Meters(
      limit: ContentLimit(
        bytes: Int64(content.bytes) + Int64(content.overshoot),
        entries: Int64(content.files)
      ),
      processes: started.meter,
      unlinkedFiles: started.unlinkedFiles,
      scratch: paths == .ownRoot ? nil : ScratchSpace(path: paths.container, bytes: policy.scratchBytes),
      fileSizeLimiter: FileSizeLimiter(
        root: started.launch.process.processID,
        most: LaunchPlanner.initialFileSizeLimit(policy, maximumBytes: request.maximumBytes),
        owner: workspace.identity.contentOwner
      ),
      freeReserve: request.quota.freeReserve
    )
  }
}
