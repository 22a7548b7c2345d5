// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
package import CaptureHost
package import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
package import SessionStore
internal import Viewfinders

/// The decision about the effect of one press of a control, with the state of the machine at that time.
package struct ControlDecision {
  /// The control that is pressed.
  package let control: InstalledControl
  /// The effect of the press.
  package let effect: LaunchDecision
  /// The request for the named devices, or `nil` if the extension is not installed.
  package let deviceRequest: DeviceAccessRequest?
  /// The app of the control.
  package let app: AppStore
  /// The surface on which the control is pressed.
  package let surface: ControlSurface
  /// The service that opens the app.
  package let opener: ApplicationOpener
  /// The files in which administrators restrict sessions.
  package let files: AdministrationFiles

  /// The state of the machine on which a decision depends.
  package struct Machine {
    /// Whether the screen is locked.
    package var lock: LockState
    /// Whether the user has unlocked the machine since it started.
    package var firstUnlock: LaunchCircumstances.FirstUnlock
    /// A closure that returns the value of an environment variable of the user.
    package var environment: @Sendable (String) -> String?

    /// Creates a state.
    package init(
      lock: LockState,
      firstUnlock: LaunchCircumstances.FirstUnlock,
      environment: @escaping @Sendable (String) -> String?
    ) {
      (self.lock, self.firstUnlock, self.environment) = (lock, firstUnlock, environment)
    }
  }

  /// Decides the effect of a press. The user is prompted for a device if the decision depends on the answer.
  ///
  /// - Parameters:
  ///   - control: The control that is pressed.
  ///   - surface: The place of the press, or `nil` to derive it from the lock state.
  ///   - devices: The devices that are available to the session.
  ///   - app: The store of the control's app.
  ///   - machine: The state of the machine.
  ///   - answer: A closure that prompts the user for a device, or `nil` if a prompt would not be visible.
  /// - Throws: The error of `answer`.
  package init<Failure: Error>(
    _ control: InstalledControl,
    _ surface: ControlSurface?,
    _ devices: [DeviceAccessRequest.Device],
    _ app: AppStore,
    _ machine: Machine,
    answer: ((DeviceAccessRequest.Device) throws(Failure) -> Bool?)?
  ) throws(Failure) {
    let files = AdministrationFiles(environment: machine.environment)
    let opener = ApplicationOpener(app, environment: machine.environment)
    let surface = surface ?? (machine.lock == .locked ? .lockScreen : .elsewhere)
    let found = app.root.installedExtension(control.control.extensionID)
    func decide(_ deviceRequest: DeviceAccessRequest?) -> LaunchDecision {
      var context = ControlPressContext(
        surface: surface,
        lock: machine.lock,
        firstUnlock: machine.firstUnlock,
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
    effect = decide(deviceRequest)
    (self.control, self.app, self.deviceRequest) = (control, app, deviceRequest)
    (self.surface, self.opener, self.files) = (surface, opener, files)
  }
}

// MARK: - Effects

extension ControlDecision {
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
  ///   - authenticator: The service that authenticates the user.
  ///   - signals: The signals of the host.
  ///   - screen: The lock screen that shows the prompt, or `nil` if the prompt is shown elsewhere.
  /// - Throws: A `ControlActivationError` if the user was not authenticated.
  package func authenticate(
    by authenticator: any Authenticating,
    _ signals: HostSignals,
    on screen: ActiveLockScreen?
  ) throws(ControlActivationError) {
    let attempt = authenticator.begin(reason: "to open \(control.app.manifest.name)")
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
