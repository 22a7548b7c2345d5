// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import CaptureHost
package import ExtensionProtocol
package import LinuxPrimitives
internal import LockMonitoring
package import SessionStore

/// One press of a control in the environment of a command: the decision about its effect, and the parts of
/// its effect.
package struct ControlActivation {
  private let press: ControlDecision
  /// The environment of the host.
  package let environment: HostEnvironment

  /// The control that is pressed.
  package var control: InstalledControl { press.control }
  /// The decision about the effect of the press.
  package var decision: LaunchDecision { press.effect }
  /// The request for the named devices, or `nil` if the extension is not installed.
  package var deviceRequest: DeviceAccessRequest? { press.deviceRequest }
  /// The app of the control.
  package var app: AppStore { press.app }

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
    let machine = ControlDecision.Machine(
      lock: environment.lock.state,
      firstUnlock: environment.firstUnlock,
      environment: environment.environment
    )
    press = try ControlDecision(control, surface, devices, app, machine, answer: answer)
    self.environment = environment
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
    choices.administration = press.files
    var request = try ExtensionLaunch.request(`extension`, app.root, choices)
    request.dependencies = environment.session(
      app,
      deviceRequest?.completedResolution ?? PermissionResolution(`extension`),
      press.opener,
      press.files,
      launch: LaunchOrigin(press.surface.origin, control: control.control.id)
    )
    return request
  }

  /// Opens the app with the control's intent and the context that the app shares with the extension. Returns
  /// the ID of the delivery.
  package func openApplication(_ reason: AppDeliveryReason) throws(ControlActivationError) -> String {
    try press.openApplication(reason)
  }

  /// Authenticates the user.
  ///
  /// - Parameters:
  ///   - signals: The signals of the host. A signal ends the wait, and is left pending for the caller.
  ///   - screen: The lock screen that shows the prompt, or `nil` if the prompt is shown elsewhere.
  /// - Throws: A `ControlActivationError` if the user was not authenticated.
  package func authenticate(
    _ signals: HostSignals,
    on screen: ActiveLockScreen?
  ) throws(ControlActivationError) {
    try press.authenticate(by: environment.authenticator, signals, on: screen)
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
