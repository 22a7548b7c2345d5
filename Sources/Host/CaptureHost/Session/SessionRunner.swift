// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
package import SandboxLaunch
internal import SandboxPolicy
package import SessionStore

/// Runs sessions from launch to hand-over.
package struct SessionRunner: Sendable {
  let planner: LaunchPlanner
  package let signals: HostSignals?
  private let journal: SystemJournal?
  let prewarmed: (any PrewarmedSessions)?
  private let launcher: HostLauncher?

  /// Prepares for sessions below a state root. `signals` end a session in order; nil leaves signals alone. `journal` is
  /// told of each session, too. From `pool` comes an extension that waits already, if there is one. `resources` are those
  /// of a host that lives longer than this; nil: there are none. Make it on the thread that runs the sessions: what the
  /// host has made runs on the host's processors, and is not for who may use others.
  package init(
    stateRoot: StateRoot,
    signals: HostSignals? = nil,
    journal: SystemJournal? = nil,
    pool: (any PrewarmedSessions)? = nil,
    resources: HostResources? = nil
  ) {
    let resources = resources.flatMap { $0.stateRoot == stateRoot ? $0 : nil }
    planner = pool?.planner ?? resources?.planner ?? LaunchPlanner(stateRoot: stateRoot)
    self.signals = signals
    self.journal = journal
    let made = resources.flatMap { $0.isOnSameProcessors ? $0 : nil }
    prewarmed = pool ?? made?.prewarmed
    launcher = made?.launcher
  }

  /// Removes the control groups that hosts have left which were killed; how many there were. What they leave in the
  /// state root is the business of ``Recovery``.
  package static func removeAbandonedGroups() -> Int { TreeBounds.removeAbandoned() }

  /// Runs one session on the calling thread, which must be a plain one, and hands over what it captured.
  ///
  /// However the extension ends, also if it could not be started, that is an outcome in the report and no error. An
  /// error after the launch means that the hand-over stopped; the content is then safe, and `recover` finishes it.
  package func run(
    _ request: SessionRequest,
    control: any SessionControl
  ) throws(SessionError) -> SessionReport {
    let began = MonotonicClock.now
    var request = request
    request.room = try Self.room(for: request)
    let assets = try Self.holdAssets(request)
    let context = try Self.context(of: request.app) ?? .null
    let camera = try prewarmed?.openCamera(for: request)
    let report: SessionReport
    let seat: Seat?
    if let slot = prewarmed?.take(for: request, assets: assets.path, camera: camera) {
      seat = try takeSeat(for: slot, request)
      report = try launch(slot, request, context, camera, control, began)
    } else {
      let identity = SessionIdentity.forOneSession()
      let workspace = try Self.workspace(for: request, identity, durability: .later)
      do throws(SessionError) { seat = try Self.takeSeat(for: workspace.id, request) } catch {
        workspace.abandon()
        throw error
      }
      let session = RunningSession(
        request: request,
        id: workspace.id,
        startedAt: workspace.startedAt,
        contentPath: workspace.places.contentDirectory,
        assetsPath: assets.path,
        context: context,
        identity: identity,
        began: began,
        launcher: launcher,
        writing: workspace.writing
      )
      report = try launch(session, in: workspace, camera, control)
    }
    _ = consume assets
    // Sets that are left are removed by the next session or publication: no reason to keep what was handed over.
    try? SharedAssets(request.app).removeUnused()
    // The app comes in front when the session has gone.
    _ = consume seat
    return Self.openApplication(request, report)
  }

  /// Launches an extension, and runs it to its end.
  private func launch(
    _ session: RunningSession,
    in workspace: consuming SessionWorkspace,
    _ camera: OpenedCamera?,
    _ control: any SessionControl
  ) throws(SessionError) -> SessionReport {
    let wiring: SessionWiring
    do throws(SessionError) {
      wiring = try SessionWiring(session.request, places: workspace.places, signals: signals, camera: camera)
    } catch {
      workspace.abandon()
      throw error
    }
    let finished: RunningSession.Finished
    do throws(SessionError) { finished = try session.run(planner, wiring, control, signals) } catch {
      // The journal could not be written: nothing has run.
      if case .store = error { workspace.abandon() }
      throw error
    }
    return try handOver(workspace, session.request, finished)
  }

  /// What the session may take of what there is left; none at all is a refusal.
  package static func room(for request: SessionRequest) throws(SessionError) -> SessionRoom {
    let standing: QuotaStanding
    let reserve = Int64(request.subject.policy.limits.freeReserve)
    do throws(StoreError) { standing = try QuotaStanding.of(request.app, policyReserve: reserve) } catch {
      throw .store(error)
    }
    if let refusal = RoomRefusal(standing, of: request.app) { throw .room(refusal) }
    return SessionRoom(standing)
  }

  /// What the app has left for its extension; nil: nothing.
  private static func context(of app: AppStore) throws(SessionError) -> JSONValue? {
    do throws(StoreError) { return try AppContextStore(app).get() } catch { throw .store(error) }
  }

  /// Makes the session's directories, and takes its lock.
  package static func workspace(
    for request: SessionRequest,
    _ identity: LaunchPlan.Identity,
    _ stage: SessionWorkspace.Stage = .launching,
    durability: SessionWorkspace.Durability = .now
  ) throws(SessionError) -> SessionWorkspace {
    do throws(StoreError) {
      return try SessionWorkspace.prepare(
        for: request.app,
        extensionID: request.extensionID,
        contentOwner: identity.contentOwner,
        hasLibrary: request.hasLibrary,
        hostProcess: request.hostProcess,
        debugging: request.debugger == .awaited ? .requested : nil,
        content: request.contentRule,
        stage: stage,
        durability: durability
      )
    } catch { throw .store(error) }
  }

  /// Keeps what the app shares, so that it stays there until the session's end.
  package static func holdAssets(_ request: SessionRequest) throws(SessionError) -> HeldAssets {
    do throws(StoreError) { return try SharedAssets(request.app).hold() } catch { throw .store(error) }
  }

  /// Takes the place in front of the person, if the session is to have it; nil: it needs none.
  static func takeSeat(
    for session: SessionID,
    _ request: SessionRequest
  ) throws(SessionError) -> Seat? {
    guard request.surroundings.seat == .alone else { return nil }
    let holder = Seat.Holder(session: session.description, extensionID: request.extensionID)
    let attempt: Seat.Attempt
    do throws(StoreError) { attempt = try Seat.attempt(in: request.app.root, for: holder) } catch {
      throw .store(error)
    }
    switch consume attempt {
    case .taken(let seat): return seat
    case .held(let holder): throw .seat(holder)
    }
  }

  /// Opens the app that the hand-over has told.
  private static func openApplication(_ request: SessionRequest, _ report: SessionReport) -> SessionReport {
    guard let delivery = report.delivery else { return report }
    var report = report
    do throws(ApplicationOpeningError) {
      guard let opener = request.surroundings.opener else { throw .nobody }
      try opener.open(delivery)
    } catch { report.openingFailure = error }
    return report
  }

  func handOver(
    _ workspace: consuming SessionWorkspace,
    _ request: SessionRequest,
    _ finished: RunningSession.Finished
  ) throws(SessionError) -> SessionReport {
    let recordPath = request.app.record(workspace.id)
    // Of a session that could not be planned it may still be on its way; that it fails is no reason to keep no record.
    try? workspace.writing?.wait()
    do throws(StoreError) {
      let result = try HandOver(
        workspace,
        draft: finished.draft,
        digests: request.digests,
        telling: journal
      ).run()
      return SessionReport(
        record: result.record,
        contentPath: result.contentPath,
        recordPath: recordPath,
        outputTail: finished.outputTail,
        hints: finished.hints,
        learned: finished.learned,
        explainedRefusals: finished.explainedRefusals,
        delivery: result.delivery,
        openingFailure: nil,
        logFault: result.logFault,
        handOver: result.steps
      )
    } catch { throw .store(error) }
  }
}
