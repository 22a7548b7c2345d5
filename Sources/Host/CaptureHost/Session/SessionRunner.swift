// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
package import SandboxLaunch
internal import SandboxPolicy
package import SessionStore

/// Runs sessions from their launch to their migration.
package struct SessionRunner: Sendable {
  let planner: LaunchPlanner
  /// The signals that dismiss a session, or `nil` to leave signals alone.
  package let signals: HostSignals?
  private let journal: SystemJournal?
  let prewarmed: (any PrewarmedSessions)?
  private let launcher: HostLauncher?

  /// Creates a runner for the sessions of a state directory.
  ///
  /// Create the runner on the thread that runs the sessions. The resources of the host run on the host's
  /// processors, and are not used on a thread that may use others.
  ///
  /// - Parameters:
  ///   - stateRoot: The state directory.
  ///   - signals: The signals that dismiss a session, or `nil` to leave signals alone.
  ///   - journal: The system journal that also receives each session.
  ///   - pool: The supply of prewarmed sessions, or `nil` for that of `resources`.
  ///   - resources: The resources of a long-lived host, or `nil` for none.
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
    let usable = resources.flatMap { $0.isOnSameProcessors ? $0 : nil }
    prewarmed = pool ?? usable?.prewarmed
    launcher = usable?.launcher
  }

  /// Removes the control groups of killed hosts. Returns the number of removed groups.
  ///
  /// ``Recovery`` handles the files that killed hosts leave in the state directory.
  package static func removeAbandonedGroups() -> Int { ProcessTreeLimits.removeAbandoned() }

  /// Runs one session on the calling thread and migrates its content. The thread must not belong to a thread
  /// pool.
  ///
  /// Every result of the extension, including a failed launch, is an outcome in the report. An error after
  /// the launch means that the migration stopped. The content is then preserved, and `recover` completes the
  /// migration.
  package func run(
    _ request: SessionRequest,
    control: any SessionControl
  ) throws(SessionError) -> SessionReport {
    let began = MonotonicClock.now
    var request = request
    request.quota = try Self.quota(for: request)
    let assets = try Self.holdAssets(request)
    let context = try Self.context(of: request.extension.app) ?? .null
    let camera = try prewarmed?.openCamera(for: request)
    let report: SessionReport
    let seat: ForegroundLock?
    if let slot = prewarmed?.take(for: request, assets: assets.path, camera: camera) {
      seat = try acquireForegroundLock(for: slot, request)
      report = try launch(slot, request, context, camera, control, began)
    } else {
      let identity = SessionIdentity.forOneSession()
      let workspace = try Self.workspace(for: request, identity, durability: .later)
      do throws(SessionError) { seat = try Self.acquireForegroundLock(for: workspace.id, request) } catch {
        workspace.abandon()
        throw error
      }
      let prepared = RunningSession.Workspace(workspace, identity, assets: assets.path)
      var session = RunningSession(request, in: prepared, context: context, startTime: began)
      (session.launcher, session.writing) = (launcher, workspace.writing)
      report = try launch(session, in: workspace, camera, control)
    }
    _ = consume assets
    // Unused asset sets are removed by the next session or publication, so a failure is not an error of this
    // session.
    try? SharedAssets(request.extension.app).removeUnused()
    // The app is opened after the foreground lock is released.
    _ = consume seat
    return Self.openApplication(request, report)
  }

  /// Launches an extension and runs it to its end.
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
      // The journal could not be written, so no program has run.
      if case .store = error { workspace.abandon() }
      throw error
    }
    return try migrate(workspace, session.request, finished)
  }

  /// Returns the space that a session may use. Throws an error if there is none.
  package static func quota(for request: SessionRequest) throws(SessionError) -> SessionQuota {
    let status: QuotaStatus
    let reserve = Int64(request.subject.policy.limits.freeReserve)
    do throws(StoreError) { status = try QuotaStatus.of(request.extension.app, policyReserve: reserve) } catch
    {
      throw .store(error)
    }
    if let refusal = StorageRefusal(status, of: request.extension.app) { throw .insufficientSpace(refusal) }
    return SessionQuota(status)
  }

  /// Returns the app context, or `nil` if the app has stored none.
  private static func context(of app: AppStore) throws(SessionError) -> JSONValue? {
    do throws(StoreError) { return try AppContextStore(app).get() } catch { throw .store(error) }
  }

  /// Creates the directories of a session and takes its lock.
  package static func workspace(
    for request: SessionRequest,
    _ identity: LaunchPlan.Identity,
    _ stage: SessionWorkspace.Stage = .launching,
    durability: SessionWorkspace.Durability = .now
  ) throws(SessionError) -> SessionWorkspace {
    do throws(StoreError) {
      return try SessionWorkspace.prepare(
        for: request.extension.app,
        id: request.session ?? .random(),
        extensionID: request.extension.id,
        contentOwner: identity.contentOwner,
        hasLibrary: request.hasLibrary,
        hostProcess: request.hostProcess,
        debugging: request.debugger == .required ? .requested : nil,
        content: request.contentRule,
        stage: stage,
        durability: durability
      )
    } catch { throw .store(error) }
  }

  /// Holds the shared assets of the app, so that they stay available until the end of the session.
  package static func holdAssets(_ request: SessionRequest) throws(SessionError) -> HeldAssets {
    do throws(StoreError) { return try SharedAssets(request.extension.app).hold() } catch {
      throw .store(error)
    }
  }

  /// Takes the foreground lock if the session requires it. Returns `nil` if it does not.
  static func acquireForegroundLock(
    for session: SessionID,
    _ request: SessionRequest
  ) throws(SessionError) -> ForegroundLock? {
    guard request.dependencies.foregroundUse == .exclusive else { return nil }
    let holder = ForegroundLock.Holder(session: session.description, extensionID: request.extension.id)
    let attempt: ForegroundLock.Attempt
    do throws(StoreError) {
      attempt = try ForegroundLock.attempt(in: request.extension.app.root, for: holder)
    } catch {
      throw .store(error)
    }
    switch consume attempt {
    case .acquired(let seat): return seat
    case .held(let holder): throw .foregroundOccupied(holder)
    }
  }

  /// Opens the app that received a delivery.
  private static func openApplication(_ request: SessionRequest, _ report: SessionReport) -> SessionReport {
    guard let delivery = report.delivery else { return report }
    var report = report
    do throws(ApplicationOpeningError) {
      guard let opener = request.dependencies.opener else { throw .noOpener }
      try opener.open(delivery)
    } catch { report.openingFailure = error }
    return report
  }

  /// Migrates the content of a session that has ended, and returns its report.
  func migrate(
    _ workspace: consuming SessionWorkspace,
    _ request: SessionRequest,
    _ finished: RunningSession.Finished
  ) throws(SessionError) -> SessionReport {
    let recordPath = request.extension.app.record(workspace.id)
    // The journal of a session without a plan may still be being written. Its failure must not prevent the
    // record.
    try? workspace.writing?.wait()
    do throws(StoreError) {
      let result = try Migration(
        workspace,
        draft: finished.draft,
        digests: request.digests,
        forwardingTo: journal
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
        migrationSteps: result.steps
      )
    } catch { throw .store(error) }
  }
}
