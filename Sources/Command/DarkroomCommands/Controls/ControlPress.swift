// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import CommandGrammar
internal import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
internal import LockMonitoring
internal import PolicyExplanation
internal import SessionServices
internal import SessionStore
internal import Viewfinders

/// One press of a control, with the state of the machine at that time.
struct ControlPress {
  /// The decision about the effect of the press.
  private let decision: LaunchDecision
  private let found: InstalledControl
  private let surface: ControlSurface
  /// The request for the named devices, or `nil` if the extension is not installed.
  private let deviceRequest: DeviceAccessRequest?
  private let hostEnvironment: HostEnvironment
  private let keys: OptionSpec
  private let app: AppStore
  private let opener: ApplicationOpener
  private let files: AdministrationFiles
  private let parsed: ParsedCommand
  private let console: Console
  private let signals: HostSignals
  /// Darkroom's own lock screen at which the control is pressed, or `nil` if it is pressed elsewhere.
  private let screen: ActiveLockScreen?

  /// The outcome of a press.
  struct Outcome {
    /// The exit code of the command.
    var code: Int32
    /// The kind of outcome.
    var kind = Kind.opened

    /// The kinds of outcomes of a press.
    enum Kind {
      /// The app was opened. The app outlives this process.
      case opened
      /// A session was run to its end.
      case session
      /// A session was dismissed because the host received a signal.
      case stopped
    }
  }

  /// Decides the effect of the press. The user is prompted for a device if the decision depends on the
  /// answer.
  ///
  /// Without a `surface`, the lock state determines the surface.
  init(
    _ found: InstalledControl,
    _ surface: ControlSurface?,
    _ keys: OptionSpec,
    _ root: StateRoot,
    _ parsed: ParsedCommand,
    _ console: Console,
    _ signals: HostSignals,
    at screen: ActiveLockScreen? = nil
  ) throws(CommandFailure) {
    let app = try CommonOptions.app(found.app.manifest.id, root)
    let files = AdministrationFiles(environment: console.environment)
    let opener = SessionCommands.opener(app, console)
    let surroundings = HostEnvironment(root, parsed, console, prompt: screen?.prompt)
    let surface = surface ?? (surroundings.lock.state == .locked ? .lockScreen : .elsewhere)
    let captureExtension = Self.captureExtension(found, root)
    func decide(_ deviceRequest: DeviceAccessRequest?) -> LaunchDecision {
      var moment = ControlPressContext(
        surface: surface,
        lock: surroundings.lock.state,
        firstUnlock: surroundings.firstUnlock,
        camera: parsed.has(CommonOptions.camera) ? .present : .missing
      )
      if let known = deviceRequest?.completedResolution {
        (moment.devices, moment.answers) = (known.devices, known.answers)
      }
      return LaunchDecision(
        LaunchCircumstances(
          moment,
          captureExtension,
          control: found.control.authentication,
          app: app,
          administration: files.read(),
          opener: opener
        )
      )
    }
    var deviceRequest = (try? captureExtension.get()).map { installed in
      DeviceAccessRequest(app, found.app.manifest.name, PermissionResolution(installed), parsed, console)
    }
    // The user is not prompted for a camera that would not be opened, or where the prompt would not be
    // visible.
    if screen == nil, let granted = deviceRequest?.assumingConsent, decide(granted) == .launchExtension {
      try deviceRequest?.ask(signals)
    }
    decision = decide(deviceRequest)
    (self.app, self.files, self.opener, self.hostEnvironment) = (app, files, opener, surroundings)
    (self.found, self.surface, self.deviceRequest, self.keys) = (found, surface, deviceRequest, keys)
    (self.parsed, self.console, self.signals, self.screen) = (parsed, console, signals, screen)
  }

  private static func captureExtension(
    _ found: InstalledControl,
    _ root: StateRoot
  ) -> Result<InstalledExtension, CatalogError> {
    do throws(CatalogError) {
      return .success(try CommonOptions.catalog(root).find(found.control.extensionID))
    } catch {
      return .failure(error)
    }
  }

  /// Carries out the decision, and returns the outcome.
  func perform(_ control: any SessionControl) throws(CommandFailure) -> Outcome {
    if let screen {
      let name = found.app.manifest.name
      hostEnvironment.authenticator.onPromptChange = { screen.ask($0, app: name) }
    } else {
      hostEnvironment.pauseDuringPrompt(control)
    }
    switch decision {
    case .launchExtension: return try launch(control)
    case .openApplication(let reason): return Outcome(code: try open(reason))
    case .authenticateThenOpenApplication(let reason):
      try authenticate()
      return Outcome(code: try open(reason))
    case .refuse(let refusal): throw refused(refusal)
    }
  }

  /// Runs a session in the foreground.
  private func launch(_ control: any SessionControl) throws(CommandFailure) -> Outcome {
    deviceRequest?.printNotes()
    let keys = try KeyOption.control(keys, parsed, console)
    let held = try RunCommand.holdExtension(found.control.extensionID, app.root)
    var choices = ExtensionLaunch.Choices()
    choices.camera = parsed.value(of: CommonOptions.camera)
    choices.microphone = CommonOptions.microphone(parsed)
    choices.echo = console.error
    choices.administration = files
    var request: SessionRequest
    do { request = try ExtensionLaunch.request(held.extension, app.root, choices) } catch {
      throw CommandFailure(error)
    }
    request.notice = { console.note("darkroom: \($0)") }
    request.dependencies = hostEnvironment.session(
      app,
      deviceRequest?.completedResolution ?? PermissionResolution(held.extension),
      opener,
      files,
      launch: LaunchOrigin(surface.origin, control: found.control.id)
    )
    SessionCommands.explainMissingSound(request, console)
    request.dependencies.keys = keys
    request.previewScreen = screen?.screen
    screen?.screen.beginSession()
    defer { screen?.endSession(console) }
    let report = try SessionCommands.run(request, control, app.root, signals, console)
    BackgroundSweep.start(app.root)
    try SessionCommands.writeRecord(report, parsed)
    SessionCommands.show(report, asJSON: parsed.has(CommonOptions.json), console)
    let ended = SessionCommands.conclude(report, console, naming: found.control.extensionID)
    let script = parsed.value(of: RunCommand.script)
    let code = ScriptFile.conclude(control, report, script, ended, console)
    if case .dismissed(let dismissal) = report.record.outcome, dismissal.by == .hostStopped {
      return Outcome(code: code, kind: .stopped)
    }
    return Outcome(code: code, kind: .session)
  }

  /// Opens the app with the control's intent and the context that the app shares with the extension.
  private func open(_ reason: AppDeliveryReason) throws(CommandFailure) -> Int32 {
    let context = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try AppContextStore(app).get()
    }
    let delivery = AppDelivery.now(reason, control: found.control.id, appContext: context ?? .null)
    do { try opener.deliver(delivery) } catch { throw CommandFailure(error) }
    if parsed.has(CommonOptions.json) {
      console.print([
        "decision": "openApplication", "reason": .string(reason.rawValue), "app": .string(app.id),
        "delivery": .string(delivery.id),
      ])
    } else {
      let why = reason == .permission ? ", because it may not use the camera yet" : ""
      console.print("opened \(app.id) for \(found.fullName)\(why)")
    }
    return 0
  }

  /// Authenticates the user.
  ///
  /// The wait ends when the attempt is decided or a signal is received. The signal is left pending for the
  /// caller.
  private func authenticate() throws(CommandFailure) {
    let attempt = hostEnvironment.authenticator.begin(reason: "to open \(found.app.manifest.name)")
    while true {
      if let result = attempt.result {
        if result == .succeeded { return }
        throw refused(result.identifier, "\(result.sentence): \(app.id) was not opened")
      }
      let found: [Readiness]
      do {
        found = try Poller.wait([
          (attempt.descriptor, .readable), (signals.descriptor.rawValue, .readable),
          (screen?.screen.readable ?? -1, .readable),
        ])
      } catch { throw CommandFailure(.machine, "\(error)") }
      screen?.screen.flush()
      guard found[1].isEmpty else {
        attempt.cancel()
        throw CommandFailure(
          .temporaryFailure,
          "stopped during the authentication of the user: \(app.id) was not opened"
        )
      }
    }
  }

  /// Returns the failure for a refused launch.
  private func refused(_ refusal: LaunchRefusal) -> CommandFailure {
    let failure = refused(refusal.code, "\(refusal)".replacing("APP", with: app.id))
    guard case .notInstalled(let error) = refusal else { return failure }
    return CommandFailure(CommandFailure(error).code, failure.description)
  }

  private func refused(_ word: String, _ sentence: String) -> CommandFailure {
    if parsed.has(CommonOptions.json) {
      console.print(["decision": "refuse", "reason": .string(word), "sentence": .string(sentence)])
    }
    return CommandFailure(.unavailable, "\(found.fullName): \(TextTable.printable(sentence))")
  }
}

extension AuthenticationResult {
  /// The identifier in the JSON output.
  fileprivate var identifier: String {
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
    case .timedOut: "the authentication took too long"
    case .tooManyAttempts: "there were too many attempts; wait before the next"
    case .noAuthenticator: "the user cannot be prompted here"
    case .unavailable(let reason): "the authentication is unavailable: \(reason)"
    }
  }
}

extension CommandFailure {
  /// Creates the failure for an app that could not be opened.
  init(_ error: ApplicationOpeningError) {
    let code: ExitCode =
      switch error {
      case .notInstalled, .noCommand, .programNotFound: .missing
      case .notExecutable, .notStarted, .exitedAtStart, .noOpener: .notExecuted
      case .installation, .mailbox: .store
      }
    self.init(code, TextTable.printable("\(error)"))
  }
}
