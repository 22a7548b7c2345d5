// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import JSONText
internal import LinuxPrimitives
internal import Prewarming
internal import SessionServices
internal import SessionStore
internal import Synchronization

/// A host of capture extensions in an embedding program, such as a lock screen, a camera app or a kiosk.
///
/// A program creates one host for each state directory. All functions can be called from any task; blocking
/// work runs on threads of the host. The host installs no signal handlers and changes no state of the
/// process.
public final class DarkroomHost: Sendable {
  /// The path of the state directory.
  public let statePath: String
  /// The installed apps.
  public let apps: HostedApps
  /// The log of all sessions.
  public let history: SessionHistory
  /// The limits on the storage of sessions.
  public let storage: HostStorage
  /// The photo library of the user.
  public let photos: HostPhotos
  /// Darkroom's own passcode.
  public let passcode: HostPasscode
  /// The lock that sessions follow.
  public let lock: HostLock
  /// The bindings of keys to controls.
  public let keyBindings: HostKeyBindings
  let root: StateRoot
  let launching: SessionLaunching
  /// The prewarmed extensions and the broker, or `nil` if the host keeps none.
  private let resources: HostResources?
  /// The sessions that have not ended, or `nil` if the host is closed.
  private let sessions = Mutex<[ObjectIdentifier: SessionCore]?>([:])

  /// Creates a host, and its state directory if that does not exist.
  ///
  /// The call creates directories, and starts the broker process if the configuration requires one. Sessions
  /// of hosts that died are not recovered; call ``recover()`` for that.
  ///
  /// - Throws: ``HostError/stateDirectory(_:)`` if the directory is unusable, or ``HostError/system(_:)`` if
  ///   a thread could not be started.
  public convenience init(
    stateDirectory: StateDirectory = .default,
    configuration: HostConfiguration = HostConfiguration()
  ) throws(HostError) {
    let option: String?
    switch stateDirectory {
    case .default: option = nil
    case .path(let path): option = path
    }
    let root: StateRoot
    do throws(StoreError) {
      root = try StateRoot.resolve(option: option, environment: SessionLaunching.environment)
      try root.prepare()
    } catch { throw HostError(error) }
    let resources: HostResources?
    do throws(SystemCallError) {
      resources = try configuration.prewarming.map { limits throws(SystemCallError) in
        var supply = HostResources.PrewarmingConfiguration()
        var most = PrewarmPool.Limits()
        (most.all, most.lifetime) = (limits.maximumExtensions, limits.lifetime.inSeconds)
        supply.limits = most
        return try HostResources(stateRoot: root, supply: supply)
      }
    } catch { throw HostError(error) }
    self.init(root, resources, configuration)
  }

  /// Creates a host of a prepared state directory. The host closes the resources.
  init(_ root: StateRoot, _ resources: HostResources?, _ configuration: HostConfiguration) {
    self.root = root
    self.resources = resources
    statePath = root.path
    apps = HostedApps(root)
    (history, storage, passcode) = (SessionHistory(root), HostStorage(root), HostPasscode(root))
    launching = SessionLaunching(root: root, configuration: configuration)
    photos = HostPhotos(root, launching)
    lock = HostLock(root, launching)
    keyBindings = HostKeyBindings(root, launching)
  }

  deinit {
    // Sessions keep their host, so none is running. `close()` waits for processes, which must not block a task.
    guard let resources else { return }
    _ = try? PlainThread.start(name: "host-close") { resources.close() }
  }

  /// Dismisses all sessions, waits for their migration, and terminates the processes that the host keeps.
  /// Later launches fail with ``HostError/closed``.
  public func close() async {
    await closeSessions()
    let resources = resources
    _ = try? await HostThread.run { () throws(HostError) in resources?.close() }
  }

  /// Dismisses all sessions, and waits for their migration. Later launches fail with ``HostError/closed``.
  package func closeSessions() async {
    let running = sessions.withLock { sessions in
      let running = sessions ?? [:]
      sessions = nil
      return Array(running.values)
    }
    for session in running { session.input.stop() }
    for session in running { _ = await session.awaitResult() }
  }
}

// MARK: - Sessions

extension DarkroomHost {
  /// Launches an installed extension. Returns when its program was started in its sandbox.
  ///
  /// If the task is cancelled, the launch is stopped, and the function returns after the migration.
  ///
  /// - Parameters:
  /// - extensionID: The ID of the extension.
  /// - options: The devices and times of the session.
  ///
  /// - Returns: The session.
  ///
  /// - Throws: The reason why nothing was launched. A program that could not be started is an outcome of the
  ///   session.
  public func launch(
    _ extensionID: String,
    _ options: LaunchOptions = LaunchOptions()
  ) async throws(HostError) -> HostedSession {
    let launching = launching
    return try await start { (run, core) throws(HostError) in
      let hold = try launching.hold(extensionID)
      let report = try run(try launching.request(hold.extension, options) { core.add(.notice($0)) })
      _ = consume hold
      return report
    }
  }

  /// Launches a program that is not an installed extension, under a policy. Returns when the program was
  /// started.
  ///
  /// - Throws: The reason why nothing was launched.
  public func launch(_ program: ProgramLaunchOptions) async throws(HostError) -> HostedSession {
    let launching = launching
    return try await start { (run, core) throws(HostError) in
      try run(try launching.request(program) { core.add(.notice($0)) })
    }
  }

  /// Launches an installed extension, and dismisses its session when a closure returns or throws.
  ///
  /// - Returns: The result of the session, after the migration of its content.
  ///
  /// - Throws: The error of the closure, or the ``HostError`` of the session.
  public nonisolated(nonsending) func withSession(
    of extensionID: String,
    _ options: LaunchOptions = LaunchOptions(),
    _ body: nonisolated(nonsending) (HostedSession) async throws -> Void
  ) async throws -> SessionResult {
    let session = try await launch(extensionID, options)
    do { try await body(session) } catch {
      session.dismiss()
      _ = try? await session.result
      throw error
    }
    session.dismiss()
    return try await session.result
  }

  /// Returns the lock state that the sessions of this host follow. With ``LockStateSelection/standard``, the
  /// state is locked until the system has reported it; a thread watches it until the object is released.
  ///
  /// - Throws: ``HostError/system(_:)`` if that thread cannot be started.
  public func makeLockStateSource() throws(HostError) -> any LockStateSource {
    switch launching.configuration.lockState {
    case .source(let source): return source
    case .fixed(let state): return AdjustableLockState(state)
    case .standard:
      do throws(SystemCallError) { return try MonitoredLockState(root: statePath) } catch {
        throw HostError(error)
      }
    }
  }

  /// Prewarms an installed extension for a launch with equal options: its program starts in a sandbox and
  /// waits. After each launch, another one is prewarmed.
  ///
  /// Nothing happens if the manifest of the extension does not request prewarming.
  ///
  /// - Throws: ``HostError/argument(_:)`` if ``HostConfiguration/prewarming`` is `nil`.
  public func prewarm(
    _ extensionID: String,
    _ options: LaunchOptions = LaunchOptions()
  ) async throws(HostError) {
    let (launching, resources) = (launching, resources)
    guard let pool = resources?.prewarmed as? PrewarmPool else {
      throw HostError(
        argument: "this host prewarms no extensions; start it with HostConfiguration.prewarming or --warm"
      )
    }
    try await HostThread.run { () throws(HostError) in
      let hold = try launching.hold(extensionID)
      // A session that waits for its launch reads no keys.
      var options = options
      options.keys = nil
      let request = try launching.request(hold.extension, options, notice: { _ in })
      do throws(SessionError) { try pool.prepare(for: request) } catch { throw HostError(error) }
      _ = consume hold
    }
  }
}

// MARK: - The thread of a session

extension DarkroomHost {
  /// Runs a request to the end of its session.
  typealias Run = (SessionRequest) throws(HostError) -> SessionReport

  /// Starts the thread of a session, and waits until its program was started.
  func start(
    _ body: @escaping @Sendable (Run, SessionCore) throws(HostError) -> SessionReport
  ) async throws(HostError) -> HostedSession {
    let core = try SessionCore()
    try add(core)
    do throws(SystemCallError) {
      _ = try PlainThread.start(name: "session") {
        let result: Result<SessionResult, HostError>
        do throws(HostError) {
          let report = try body(
            { request throws(HostError) in try self.run(request, core) },
            core
          )
          result = .success(SessionResult(report))
        } catch { result = .failure(error) }
        self.remove(core)
        core.finish(result)
      }
    } catch {
      remove(core)
      throw HostError(error)
    }
    guard let id = try await core.awaitStart() else {
      core.input.stop()
      _ = await core.awaitResult()
      throw .cancelled
    }
    return HostedSession(id, core, self)
  }

  /// Runs a session on the calling thread until its content is migrated.
  private func run(_ request: SessionRequest, _ core: SessionCore) throws(HostError) -> SessionReport {
    let control = EmbeddedControl(core)
    var request = request
    request.previewScreen = core.frames
    request.soundListener = core.sound
    request.observer = control
    let signals: HostSignals
    do throws(SystemCallError) { signals = try core.input.signals() } catch { throw HostError(error) }
    let journal = SystemJournal(environment: SessionLaunching.environment)
    do throws(SessionError) {
      return try SessionRunner(stateRoot: root, signals: signals, journal: journal, resources: resources)
        .run(request, control: control)
    } catch { throw HostError(error) }
  }

  /// Adds a session or a batch, which ``close()`` stops.
  func add(_ core: SessionCore) throws(HostError) {
    let isOpen = sessions.withLock { sessions in
      sessions?[ObjectIdentifier(core)] = core
      return sessions != nil
    }
    if !isOpen { throw .closed }
  }

  /// Removes a session or a batch that has ended.
  func remove(_ core: SessionCore) { sessions.withLock { $0?[ObjectIdentifier(core)] = nil } }
}
