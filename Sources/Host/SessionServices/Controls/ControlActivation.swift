// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import CaptureHost
package import ExtensionProtocol
internal import JSONText
package import LinuxPrimitives
internal import LockMonitoring
package import SessionStore
internal import Viewfinders

/// One press of a control: the decision about its effect, with the state of the machine at that time, and the
/// parts of its effect.
package struct ControlActivation {
  /// The control that is pressed.
  package let control: InstalledControl
  /// The decision about the effect of the press.
  package let decision: LaunchDecision
  /// The request for the named devices, or `nil` if the extension is not installed.
  package let deviceRequest: DeviceAccessRequest?
  /// The app of the control.
  package let app: AppStore
  /// The environment of the host.
  package let environment: HostEnvironment

  private let surface: ControlSurface
  private let opener: ApplicationOpener
  private let files: AdministrationFiles

  /// Decides the effect of a press. The user is prompted for a device if the decision depends on the answer.
  ///
  /// - Parameters:
  ///   - control: The control that is pressed.
  ///   - surface: The place of the press, or `nil` to derive it from the lock state.
  ///   - devices: The devices that are available to the session.
  ///   - app: The store of the control's app.
  ///   - environment: The environment of the host.
  ///   - answer: A closure that prompts the user for a device, or `nil` if a prompt would not be visible.
  /// - Throws: The error of `answer`.
  package init<Failure: Error>(
    _ control: InstalledControl,
    _ surface: ControlSurface?,
    _ devices: [DeviceAccessRequest.Device],
    _ app: AppStore,
    _ environment: HostEnvironment,
    answer: ((DeviceAccessRequest.Device) throws(Failure) -> Bool?)?
  ) throws(Failure) {
    let files = AdministrationFiles(environment: environment.environment)
    let opener = ApplicationOpener(app, environment: environment.environment)
    let surface = surface ?? (environment.lock.state == .locked ? .lockScreen : .elsewhere)
    let found = app.root.installedExtension(control.control.extensionID)
    func decide(_ deviceRequest: DeviceAccessRequest?) -> LaunchDecision {
      var context = ControlPressContext(
        surface: surface,
        lock: environment.lock.state,
        firstUnlock: environment.firstUnlock,
        camera: devices.contains { $0.subject == .camera } ? .present : .missing
      )
      if let known = deviceRequest?.completedResolution {
        (context.devices, context.answers) = (known.devices, known.answers)
      }
      return LaunchDecision(
        LaunchCircumstances(
          context,
          found,
          control: control.control.authentication,
          app: app,
          administration: files.read(),
          opener: opener
        )
      )
    }
    var deviceRequest = (try? found.get()).map { installed in
      DeviceAccessRequest(app, devices, PermissionResolution(installed), files)
    }
    // The user is not prompted for a camera that would not be opened.
    if let answer, let granted = deviceRequest?.assumingConsent, decide(granted) == .launchExtension {
      try deviceRequest?.ask(answer)
    }
    decision = decide(deviceRequest)
    (self.control, self.app, self.deviceRequest) = (control, app, deviceRequest)
    (self.surface, self.opener, self.files, self.environment) = (surface, opener, files, environment)
  }

  /// Returns the request for the session that the decision launches.
  ///
  /// - Parameters:
  ///   - extension: The control's extension, which the caller holds.
  ///   - choices: The choices of the launch. The files of administrators are those of this environment.
  /// - Returns: The request, with the dependencies of the session.
  /// - Throws: An `ExtensionLaunchError` if the extension cannot be launched.
  package func sessionRequest(
    _ extension: InstalledExtension,
    _ choices: ExtensionLaunch.Choices
  ) throws(ExtensionLaunchError) -> SessionRequest {
    var choices = choices
    choices.administration = files
    var request = try ExtensionLaunch.request(`extension`, app.root, choices)
    request.dependencies = environment.session(
      app,
      deviceRequest?.completedResolution ?? PermissionResolution(`extension`),
      opener,
      files,
      launch: LaunchOrigin(surface.origin, control: control.control.id)
    )
    return request
  }

  /// Opens the app with the control's intent and the context that the app shares with the extension. Returns
  /// the ID of the delivery.
  package func openApplication(_ reason: AppDeliveryReason) throws(ControlActivationError) -> String {
    let context: JSONValue?
    do throws(StoreError) { context = try AppContextStore(app).get() } catch { throw .store(error) }
    let delivery = AppDelivery.now(reason, control: control.control.id, appContext: context ?? .null)
    do { try opener.deliver(delivery) } catch { throw .opening(error) }
    return delivery.id
  }

  /// Authenticates the user.
  ///
  /// The wait ends when the attempt is decided or a signal is received. The signal is left pending for the
  /// caller.
  ///
  /// - Parameters:
  ///   - signals: The signals of the host.
  ///   - screen: The lock screen that shows the prompt, or `nil` if the prompt is shown elsewhere.
  /// - Throws: A `ControlActivationError` if the user was not authenticated.
  package func authenticate(
    _ signals: HostSignals,
    on screen: ActiveLockScreen?
  ) throws(ControlActivationError) {
    let attempt = environment.authenticator.begin(reason: "to open \(control.app.manifest.name)")
    while true {
      if let result = attempt.result {
        if result == .succeeded { return }
        throw .notAuthenticated(result, app: app.id)
      }
      let found: [Readiness]
      do {
        found = try Poller.wait([
          (attempt.descriptor, .readable), (signals.descriptor.rawValue, .readable),
          (screen?.screen.readable ?? -1, .readable),
        ])
      } catch { throw .system(error) }
      screen?.screen.flush()
      guard found[1].isEmpty else {
        attempt.cancel()
        throw .stopped(app: app.id)
      }
    }
  }
}

/// An error while the effect of a press was carried out.
package enum ControlActivationError: Error, CustomStringConvertible {
  /// The user was not authenticated.
  case notAuthenticated(AuthenticationResult, app: String)
  /// The host received a signal to stop during the authentication.
  case stopped(app: String)
  /// The app could not be opened.
  case opening(ApplicationOpeningError)
  /// The app's context could not be read.
  case store(StoreError)
  /// A system call failed.
  case system(SystemCallError)

  /// The error message.
  package var description: String {
    switch self {
    case .notAuthenticated(let result, let app): "\(app) was not opened: \(result.sentence)"
    case .stopped(let app): "\(app) was not opened: stopped during the authentication of the user"
    case .opening(let error): "\(error)"
    case .store(let error): "\(error)"
    case .system(let error): "\(error)"
    }
  }
}

extension AuthenticationResult {
  /// The identifier in JSON output.
  package var identifier: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .timedOut: "timedOut"
    case .tooManyAttempts: "tooManyAttempts"
    case .noAuthenticator, .unavailable: "unavailable"
    }
  }

  /// The message for the user.
  fileprivate var sentence: String {
    switch self {
    case .succeeded: "the user is authenticated"
    case .failed: "the authentication failed"
    case .cancelled: "the authentication was cancelled"
    case .timedOut: "the authentication timed out"
    case .tooManyAttempts: "too many attempts have failed; wait before the next attempt"
    case .noAuthenticator: "the user cannot be prompted here"
    case .unavailable(let reason): "the authentication is unavailable: \(reason)"
    }
  }
}
