// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import ExtensionProtocol
internal import LaunchPlanning
internal import LinuxPrimitives
internal import LockMonitoring
internal import PhotoLibrary
internal import SandboxLaunch
internal import SessionServices
internal import SessionStore

/// Creates the requests of a host's sessions. All functions block, and belong to the thread of a session.
struct SessionLaunching: Sendable {
  /// The state directory.
  let root: StateRoot
  /// The services of the sessions.
  let configuration: HostConfiguration

  /// Returns the value of an environment variable of the process.
  @Sendable static func environment(_ name: String) -> String? { CurrentProcess.environment(name) }

  /// The files in which administrators restrict sessions.
  var files: AdministrationFiles { AdministrationFiles(environment: Self.environment) }

  /// Holds an installed extension for the duration of its session.
  func hold(_ id: String) throws(HostError) -> ExtensionHold {
    do throws(CatalogError) {
      if let hold = try ExtensionHold.take(id, in: root) { return hold }
    } catch { throw HostError(error) }
    throw .installation(.init("\(id) is reinstalled repeatedly at this moment; try again later"))
  }

  /// Returns the request for a session of an extension, which the caller holds. `notice` receives messages.
  func request(
    _ installed: InstalledExtension,
    _ options: LaunchOptions,
    notice: @escaping @Sendable (String) -> Void
  ) throws(HostError) -> SessionRequest {
    if options.waitsForDebugger, let obstacle = DebuggerAccess.current.obstacle {
      throw .system(.init(obstacle))
    }
    var request: SessionRequest
    do throws(ExtensionLaunchError) {
      request = try ExtensionLaunch.request(installed, root, choices(options))
    } catch { throw HostError(error) }
    let camera: Set<PermissionSubject> = options.camera == nil ? [] : [.camera]
    let microphone: Set<PermissionSubject> = options.microphone == nil ? [] : [.microphone]
    let resolution = ask(
      request.extension.app,
      installed.app.name,
      devices(options.camera, options.microphone),
      PermissionResolution(installed, granted: camera.union(microphone)),
      notice
    )
    let origin = LaunchOrigin(options.place.surface)
    request.dependencies = dependencies(request.extension.app, resolution, origin, try machine(), notice)
    request.dependencies.keys = try options.keys?.control(notice)
    request.notice = notice
    return request
  }

  /// A program that can be launched.
  struct FoundProgram {
    /// The app that the captures belong to.
    let app: AppStore
    /// The launch of the program.
    let launch: ProgramLaunch
    /// The file of the program.
    let target: LaunchTarget
  }

  /// Finds a program and its policy. `notice` receives messages about files that the program will not find.
  func find(_ options: ProgramLaunchOptions, notice: (String) -> Void) throws(HostError) -> FoundProgram {
    let app: AppStore
    do throws(StoreError) { app = try root.app(options.appID) } catch { throw HostError(error) }
    let policy: FoundPolicy
    do throws(PolicyFindingError) { policy = try PolicyFinder.find(options.policy) } catch {
      throw HostError(error)
    }
    let launch = ProgramLaunch(
      [options.program] + options.arguments,
      policy: policy,
      readOnly: options.readOnlyPaths,
      environment: options.environment.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) },
      camera: options.camera?.description
    )
    let found: (target: LaunchTarget, notes: [String])
    do throws(PlanError) { found = try launch.target(root) } catch { throw .program(.init("\(error)")) }
    for note in found.notes { notice(note) }
    return FoundProgram(app: app, launch: launch, target: found.target)
  }

  /// Returns the request for a session of a program. `notice` receives messages.
  func request(
    _ options: ProgramLaunchOptions,
    notice: @escaping @Sendable (String) -> Void
  ) throws(HostError) -> SessionRequest {
    let found = try find(options, notice: notice)
    let app = found.app
    var request = found.launch.request(found.target, app: app, named: "exec", standard: .logged(echo: nil))
    let granted: Set<PermissionSubject> = options.camera == nil ? [] : [.camera]
    let resolution = ask(
      app,
      options.program,
      devices(options.camera, nil),
      PermissionResolution(app: app.id, reasons: .notNeeded, granted: granted),
      notice
    )
    request.dependencies = HostEnvironment.session(
      ofProgramFor: app,
      resolution,
      ApplicationOpener(app, environment: Self.environment),
      environment: Self.environment
    )
    request.notice = notice
    return request
  }
}

// MARK: - Choices and devices

extension SessionLaunching {
  func choices(_ options: LaunchOptions) -> ExtensionLaunch.Choices {
    var choices = ExtensionLaunch.Choices()
    choices.camera = options.camera?.description
    choices.microphone = options.microphone?.description
    choices.dismissalGrace = options.dismissalGrace.inSeconds
    if let time = options.watchdog?.inSeconds { choices.watchdog = time > 0 ? .seconds(time) : .off }
    choices.idleTimeout = options.idleTimeout?.inSeconds ?? 0
    choices.digests = options.recordsDigests ? .sha256 : .none
    choices.debugger = options.waitsForDebugger ? .required : .none
    choices.audit = options.requiredAudit.map {
      AuditRequirement(attestation: $0.attestation, publicKey: $0.publicKey)
    }
    choices.administration = files
    return choices
  }

  func devices(
    _ camera: CameraSelection?,
    _ microphone: MicrophoneSelection?
  ) -> [DeviceAccessRequest.Device] {
    let named: [(PermissionSubject, String?)] = [
      (.camera, camera?.description), (.microphone, microphone?.description),
    ]
    return named.compactMap { subject, text in text.map { .init(subject, $0) } }
  }

  /// Returns the permissions after the prompts for devices, and reports the devices that cannot be used.
  private func ask(
    _ app: AppStore,
    _ name: String,
    _ devices: [DeviceAccessRequest.Device],
    _ resolution: PermissionResolution,
    _ notice: (String) -> Void
  ) -> PermissionResolution {
    var request = DeviceAccessRequest(app, devices, resolution, files)
    request.ask { device in consent(device, app, name) }
    for note in request.notes { notice(note) }
    return request.completedResolution
  }

  /// Prompts the user for a device. Returns `nil` if the user cannot be prompted.
  func consent(_ device: DeviceAccessRequest.Device, _ app: AppStore, _ name: String) -> Bool? {
    guard let consent = configuration.deviceConsent else { return nil }
    let request = DeviceConsentRequest(
      kind: device.subject == .camera ? .camera : .microphone,
      device: device.text,
      appID: app.id,
      appName: name
    )
    return try? HostThread.wait { await consent(request) }
  }
}

// MARK: - Services

extension SessionLaunching {
  /// The lock and the authentication that a session follows. They belong to the thread of the session.
  struct Machine {
    /// The lock.
    let lock: any LockWatching
    /// Whether the user has unlocked the machine since it started.
    let firstUnlock: LaunchCircumstances.FirstUnlock
    /// The service that authenticates the user, or `nil` if there is none.
    let authenticator: (any Authenticating)?
  }

  /// Returns the lock and the authentication of the configuration.
  func machine() throws(HostError) -> Machine {
    let monitor = LockMonitor(root: root.path, environment: LockEnvironment(environment: Self.environment))
    let (lock, ownLock) = try lock(monitor)
    return Machine(
      lock: lock,
      // Only the system knows about the first unlock.
      firstUnlock: ownLock?.firstUnlock == .pending ? .pending : .happened,
      authenticator: try authenticator(monitor, unlocking: ownLock)
    )
  }

  /// Returns the services of a session of an installed extension.
  func dependencies(
    _ app: AppStore,
    _ resolution: PermissionResolution,
    _ origin: LaunchOrigin,
    _ machine: Machine,
    _ notice: (String) -> Void
  ) -> SessionDependencies {
    SessionDependencies(
      lock: machine.lock,
      permissions: PermissionMonitor(app, resolution, files: files),
      authenticator: machine.authenticator,
      opener: ApplicationOpener(app, environment: Self.environment),
      photos: library(notice).map { PhotoService($0) },
      sounds: SoundPlayer(environment: Self.environment),
      orientation: OrientationSensor(environment: Self.environment),
      launch: origin
    )
  }

  /// Returns the lock that a session follows, and the monitor if a successful authentication unlocks it.
  private func lock(_ monitor: LockMonitor) throws(HostError) -> (any LockWatching, LockMonitor?) {
    switch configuration.lockState {
    case .standard:
      // The logind source counts as locked until it has answered.
      monitor.waitForFirstReports()
      return (monitor, monitor)
    case .fixed(let state): return (FixedLockState(state.protocolState), nil)
    case .source(let source):
      do throws(SystemCallError) { return (try LockStateAdapter(source), nil) } catch {
        throw HostError(error)
      }
    }
  }

  /// Returns the service that authenticates the user, or `nil` if the configuration has none. A success of a
  /// service of the embedding program unlocks `ownLock`.
  func authenticator(
    _ monitor: LockMonitor,
    unlocking ownLock: LockMonitor?
  ) throws(HostError) -> (any Authenticating)? {
    switch configuration.authenticator {
    case .none: return nil
    case .standard:
      return HostAuthenticator(
        root: root.path,
        lock: monitor,
        prompt: nil,
        errors: 2,
        environment: Self.environment
      )
    case .service(let service):
      do throws(SystemCallError) { return try AuthenticatorAdapter(service, unlocking: ownLock) } catch {
        throw HostError(error)
      }
    }
  }

  private func library(_ notice: (String) -> Void) -> LibraryLocation? {
    do throws(PhotoLibraryError) { return try libraryLocation() } catch {
      notice("this session has no photo library: \(error)")
      return nil
    }
  }

  /// Returns the location of the photo library, or `nil` if the configuration has none.
  func libraryLocation() throws(PhotoLibraryError) -> LibraryLocation? {
    switch configuration.photoLibrary {
    case .none: nil
    case .standard: try LibraryLocation.resolve(option: nil, environment: Self.environment)
    case .path(let path): try LibraryLocation.resolve(option: path, environment: Self.environment)
    }
  }
}

extension LaunchPlace {
  /// The corresponding surface of the protocol.
  var surface: LaunchSurface {
    switch self {
    case .lockScreen: .lockScreen
    case .elsewhere: .elsewhere
    case .program: .commandLine
    }
  }
}

extension Duration {
  /// The duration in seconds.
  package var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
