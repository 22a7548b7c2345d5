// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import ExtensionProtocol
internal import LaunchPlanning
internal import LinuxPrimitives
internal import SessionServices
internal import SessionStore

/// Presses of controls. All functions block, and belong to the thread of a session.
extension SessionLaunching {
  /// The effect of a press that was carried out.
  enum Press {
    /// A session was run to its end.
    case session(SessionReport)
    /// The app was opened.
    case opening(AppOpening)
  }

  /// Presses a control.
  ///
  /// - Parameters:
  ///   - control: The ID of the control.
  ///   - app: The ID of the app.
  ///   - options: The options of the launch.
  ///   - core: The session, whose signals end the authentication of the user.
  ///   - run: Runs the session if the press launches the extension.
  /// - Returns: The effect.
  /// - Throws: The reason why the press has no effect.
  func press(
    _ control: String,
    of app: String,
    _ options: LaunchOptions,
    _ core: SessionCore,
    run: (SessionRequest) throws(HostError) -> SessionReport
  ) throws(HostError) -> Press {
    let found = try self.control(control, of: app)
    let store: AppStore
    do throws(StoreError) { store = try root.app(app) } catch { throw HostError(error) }
    let machine = try machine()
    let name = found.app.manifest.name
    let answer: ((DeviceAccessRequest.Device) -> Bool?)? = { device in consent(device, store, name) }
    let decision = ControlDecision(
      found,
      options.place.controlSurface,
      devices(options.camera, options.microphone),
      store,
      .init(lock: machine.lock.state, firstUnlock: machine.firstUnlock, environment: Self.environment),
      answer: answer
    )
    switch decision.effect {
    case .launchExtension: return .session(try launch(decision, machine, options, core, run: run))
    case .openApplication(let reason): return .opening(try open(decision, reason))
    case .authenticateThenOpenApplication(let reason):
      try authenticate(decision, machine, core)
      return .opening(try open(decision, reason))
    case .refuse(let refusal): throw HostError(refusal, app: app)
    }
  }

  /// Returns a control of an installed app.
  func control(_ id: String, of app: String) throws(HostError) -> InstalledControl {
    let installed: InstalledApp
    do throws(CatalogError) {
      guard let found = try root.catalog.app(app) else { throw try root.catalog.notInstalled(app) }
      installed = found
    } catch { throw HostError(error) }
    do throws(ControlFindingError) { return try ControlCatalog([installed]).find(id) } catch {
      throw HostError(error)
    }
  }

  private func launch(
    _ decision: ControlDecision,
    _ machine: Machine,
    _ options: LaunchOptions,
    _ core: SessionCore,
    run: (SessionRequest) throws(HostError) -> SessionReport
  ) throws(HostError) -> SessionReport {
    for note in decision.deviceRequest?.notes ?? [] { core.add(.notice(note)) }
    let control = decision.control.control
    let held = try hold(control.extensionID)
    var request: SessionRequest
    do throws(ExtensionLaunchError) {
      request = try ExtensionLaunch.request(held.extension, root, choices(options))
    } catch { throw HostError(error) }
    let notice: @Sendable (String) -> Void = { core.add(.notice($0)) }
    request.dependencies = dependencies(
      decision.app,
      decision.deviceRequest?.completedResolution ?? PermissionResolution(held.extension),
      LaunchOrigin(decision.surface.origin, control: control.id),
      machine,
      notice
    )
    request.dependencies.keys = try options.keys?.control(notice)
    request.notice = notice
    let report = try run(request)
    _ = consume held
    return report
  }

  private func authenticate(
    _ decision: ControlDecision,
    _ machine: Machine,
    _ core: SessionCore
  ) throws(HostError) {
    guard let authenticator = machine.authenticator else {
      throw HostError(ControlActivationError.notAuthenticated(.noAuthenticator, app: decision.app.id))
    }
    let signals: HostSignals
    do throws(SystemCallError) { signals = try core.input.signals() } catch { throw HostError(error) }
    do throws(ControlActivationError) {
      try decision.authenticate(by: authenticator, signals, on: nil)
    } catch { throw HostError(error) }
  }

  private func open(
    _ decision: ControlDecision,
    _ reason: AppDeliveryReason
  ) throws(HostError) -> AppOpening {
    let delivery: String
    do throws(ControlActivationError) { delivery = try decision.openApplication(reason) } catch {
      throw HostError(error)
    }
    return AppOpening(delivery: delivery, reason: reason == .permission ? .permission : .control)
  }
}

extension LaunchPlace {
  /// The surface on which a control is pressed, or `nil` to derive the surface from the lock state.
  fileprivate var controlSurface: ControlSurface? {
    switch self {
    case .lockScreen: .lockScreen
    case .elsewhere: .elsewhere
    case .program: nil
    }
  }
}
