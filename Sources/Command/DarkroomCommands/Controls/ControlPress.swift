// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import CommandGrammar
internal import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
internal import PolicyExplanation
internal import SessionServices
internal import SessionStore
internal import Viewfinders

/// One press of a control by a command: the effect of the press, and its output.
struct ControlPress {
  private let activation: ControlActivation
  private let devices: DeviceOptions
  private let keys: OptionSpec
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
    _ control: InstalledControl,
    _ surface: ControlSurface?,
    _ keys: OptionSpec,
    _ root: StateRoot,
    _ parsed: ParsedCommand,
    _ console: Console,
    _ signals: HostSignals,
    at screen: ActiveLockScreen? = nil
  ) throws(CommandFailure) {
    let app = try CommonOptions.app(control.app.manifest.id, root)
    let devices = DeviceOptions(parsed, console, signals)
    let name = control.app.manifest.name
    func answer(_ device: DeviceAccessRequest.Device) throws(CommandFailure) -> Bool? {
      try devices.answer(device, app, name)
    }
    activation = try ControlActivation(
      control,
      surface,
      devices.devices,
      app,
      HostEnvironment(root, parsed, console, prompt: screen?.prompt),
      answer: screen == nil ? answer : nil
    )
    (self.devices, self.keys, self.screen) = (devices, keys, screen)
    (self.parsed, self.console, self.signals) = (parsed, console, signals)
  }

  /// Carries out the decision, and returns the outcome.
  func perform(_ control: any SessionControl) throws(CommandFailure) -> Outcome {
    if let screen {
      let name = activation.control.app.manifest.name
      activation.environment.authenticator.onPromptChange = { screen.ask($0, app: name) }
    } else {
      activation.environment.pauseDuringPrompt(control)
    }
    switch activation.decision {
    case .launchExtension: return try launch(control)
    case .openApplication(let reason): return Outcome(code: try open(reason))
    case .authenticateThenOpenApplication(let reason):
      do { try activation.authenticate(signals, on: screen) } catch { throw failure(error) }
      return Outcome(code: try open(reason))
    case .refuse(let refusal): throw refused(refusal)
    }
  }

  /// Runs a session in the foreground.
  private func launch(_ control: any SessionControl) throws(CommandFailure) -> Outcome {
    if let request = activation.deviceRequest { devices.printNotes(request) }
    let keys = try KeyOption.control(keys, parsed, console)
    let id = activation.control.control.extensionID
    let root = activation.app.root
    let held = try RunCommand.holdExtension(id, root)
    var choices = ExtensionLaunch.Choices()
    choices.camera = parsed.value(of: CommonOptions.camera)
    choices.microphone = CommonOptions.microphone(parsed)
    choices.echo = console.error
    var request: SessionRequest
    do { request = try activation.sessionRequest(held.extension, choices) } catch {
      throw CommandFailure(error)
    }
    request.notice = { console.note("darkroom: \($0)") }
    SessionCommands.explainMissingSound(request, console)
    request.dependencies.keys = keys
    request.previewScreen = screen?.screen
    screen?.screen.beginSession()
    defer { if let total = screen?.endSession() { console.note(TextTable.printable(total)) } }
    let report = try SessionCommands.run(request, control, root, signals, console)
    BackgroundPrune.start(root)
    try SessionCommands.writeRecord(report, parsed)
    SessionCommands.show(report, asJSON: parsed.has(CommonOptions.json), console)
    let ended = SessionCommands.conclude(report, console, naming: id)
    let script = parsed.value(of: RunCommand.script)
    let code = ScriptFile.conclude(control, report, script, ended, console)
    return Outcome(code: code, kind: report.record.outcome.isHostStopped ? .stopped : .session)
  }

  /// Opens the app, and prints that it was opened.
  private func open(_ reason: AppDeliveryReason) throws(CommandFailure) -> Int32 {
    let delivery: String
    do { delivery = try activation.openApplication(reason) } catch { throw failure(error) }
    let app = activation.app
    if parsed.has(CommonOptions.json) {
      console.print([
        "decision": "openApplication", "reason": .string(reason.rawValue), "app": .string(app.id),
        "delivery": .string(delivery),
      ])
    } else {
      let why = reason == .permission ? ", because the app may not use the camera yet" : ""
      console.print("opened \(app.id) for \(activation.control.fullName)\(why)")
    }
    return 0
  }

  /// Returns the failure for an effect that could not be carried out.
  private func failure(_ error: ControlActivationError) -> CommandFailure {
    switch error {
    case .notAuthenticated(let result, _): refused(result.identifier, "\(error)")
    case .stopped: CommandFailure(.temporaryFailure, "\(error)")
    case .opening(let error): CommandFailure(error)
    case .store(let error): CommandFailure(error)
    case .system: CommandFailure(.machine, "\(error)")
    }
  }

  /// Returns the failure for a refused launch.
  private func refused(_ refusal: LaunchRefusal) -> CommandFailure {
    let failure = refused(refusal.code, "\(refusal)".replacing("APP", with: activation.app.id))
    guard case .notInstalled(let error) = refusal else { return failure }
    return CommandFailure(CommandFailure(error).code, failure.description)
  }

  private func refused(_ word: String, _ sentence: String) -> CommandFailure {
    if parsed.has(CommonOptions.json) {
      console.print(["decision": "refuse", "reason": .string(word), "sentence": .string(sentence)])
    }
    return CommandFailure(.unavailable, "\(activation.control.fullName): \(TextTable.printable(sentence))")
  }
}

extension CommandFailure {
  /// Creates the failure for an app that could not be opened.
  init(_ error: ApplicationOpeningError) {
    if case .notInstalled(let app) = error {
      self.init(CatalogError.appNotInstalled(id: app, nearest: nil))
      return
    }
    let code: ExitCode =
      switch error {
      case .notInstalled, .noCommand, .programNotFound: .missing
      case .notExecutable, .notStarted, .exitedAtStart, .noOpener: .notExecuted
      case .installation, .mailbox: .store
      }
    self.init(code, TextTable.printable("\(error)"))
  }
}
