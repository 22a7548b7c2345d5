// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import CommandGrammar
internal import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
internal import LockMonitoring
internal import PolicyWords
internal import SessionServices
internal import SessionStore
internal import Viewfinders

/// One press of one control, with what was found when it was pressed.
struct ControlPress {
  /// What the press does.
  private let decision: LaunchDecision
  private let found: InstalledControl
  private let surface: ControlSurface
  /// What the person's choice among devices comes to; nil: the extension is not there.
  private let wish: DeviceWish?
  private let surroundings: HostSurroundings
  private let keys: OptionSpec
  private let app: AppStore
  private let opener: ApplicationOpener
  private let files: AdministrationFiles
  private let parsed: ParsedCommand
  private let console: Console
  private let signals: HostSignals
  /// The lock screen at which it is pressed; nil: at none of Darkroom's own.
  private let screen: ShownLockScreen?

  /// What has become of a press.
  struct Ending {
    /// What the command ends with.
    var code: Int32
    /// How it came about.
    var way = Way.opened

    /// What the press has led to.
    enum Way {
      /// The app was opened, which outlives this.
      case opened
      /// A session, which is over.
      case session
      /// A session, which a signal to the host has ended.
      case stopped
    }
  }

  /// Looks at everything, and decides; asks the person, if that decides it. Where nobody says where the control is pressed,
  /// the lock does.
  init(
    _ found: InstalledControl,
    _ surface: ControlSurface?,
    _ keys: OptionSpec,
    _ root: StateRoot,
    _ parsed: ParsedCommand,
    _ console: Console,
    _ signals: HostSignals,
    at screen: ShownLockScreen? = nil
  ) throws(CommandFailure) {
    let app = try CommonOptions.app(found.app.manifest.id, root)
    let files = AdministrationFiles(environment: console.environment)
    let opener = SessionCommands.opener(app, console)
    let surroundings = HostSurroundings(root, parsed, console, prompt: screen?.prompt)
    let surface = surface ?? (surroundings.lock.state == .locked ? .lockScreen : .elsewhere)
    let captureExtension = Self.captureExtension(found, root)
    func decide(_ wish: DeviceWish?) -> LaunchDecision {
      var moment = LaunchMoment(
        surface: surface,
        lock: surroundings.lock.state,
        firstUnlock: surroundings.firstUnlock,
        camera: parsed.has(CommonOptions.camera) ? .present : .missing
      )
      if let known = wish?.completed { (moment.devices, moment.answers) = (known.devices, known.answers) }
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
    var wish = (try? captureExtension.get()).map { installed in
      DeviceWish(app, found.app.manifest.name, PermissionResolution(installed), parsed, console)
    }
    // Nobody is asked for a camera that would not be opened, or where they cannot see the question.
    if screen == nil, let granted = wish?.granted, decide(granted) == .launchExtension {
      try wish?.ask(signals)
    }
    decision = decide(wish)
    (self.app, self.files, self.opener, self.surroundings) = (app, files, opener, surroundings)
    (self.found, self.surface, self.wish, self.keys) = (found, surface, wish, keys)
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

  /// Does what was decided, to its end.
  func perform(_ control: any SessionControl) throws(CommandFailure) -> Ending {
    if let screen {
      let name = found.app.manifest.name
      surroundings.authenticator.whileAsking = { screen.ask($0, app: name) }
    } else {
      surroundings.pauseWhileAsking(control)
    }
    switch decision {
    case .launchExtension: return try launch(control)
    case .openApplication(let reason): return Ending(code: try open(reason))
    case .authenticateThenOpenApplication(let reason):
      try authenticate()
      return Ending(code: try open(reason))
    case .refuse(let refusal): throw refused(refusal)
    }
  }

  /// Runs the session, in front of the person.
  private func launch(_ control: any SessionControl) throws(CommandFailure) -> Ending {
    wish?.tell()
    let keys = try KeyOption.control(keys, parsed, console)
    let held = try RunCommand.held(found.control.extensionID, app.root)
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
    request.surroundings = surroundings.session(
      app,
      wish?.completed ?? PermissionResolution(held.extension),
      opener,
      files,
      launch: LaunchOrigin(surface.origin, control: found.control.id)
    )
    SessionCommands.noteSilence(request, console)
    request.surroundings.keys = keys
    request.previewScreen = screen?.screen
    screen?.screen.beginSession()
    defer { screen?.endSession(console) }
    let report = try SessionCommands.run(request, control, app.root, signals, console)
    Sweeping.begin(app.root)
    try SessionCommands.writeRecord(report, parsed)
    SessionCommands.show(report, asJSON: parsed.has(CommonOptions.json), console)
    let ended = SessionCommands.conclude(report, console, naming: found.control.extensionID)
    let script = parsed.value(of: RunCommand.script)
    let code = ScriptFile.conclude(control, report, script, ended, console)
    if case .dismissed(let dismissal) = report.record.outcome, dismissal.by == .hostStopped {
      return Ending(code: code, way: .stopped)
    }
    return Ending(code: code, way: .session)
  }

  /// Opens the app with the same intent, and the context that it shares with the extension.
  private func open(_ reason: AppDeliveryReason) throws(CommandFailure) -> Int32 {
    let context = try CommandFailure.store { () throws(StoreError) in try AppContextStore(app).get() }
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

  /// Asks the person who they are, and waits until that is decided or a signal comes, which is left to be read.
  private func authenticate() throws(CommandFailure) {
    let attempt = surroundings.authenticator.begin(reason: "to open \(found.app.manifest.name)")
    while true {
      if let result = attempt.result {
        if result == .succeeded { return }
        throw refused(result.word, "\(result.sentence): \(app.id) was not opened")
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
        throw CommandFailure(.interrupted, "stopped while the person was asked: \(app.id) was not opened")
      }
    }
  }

  /// A refusal as the command's failure.
  private func refused(_ refusal: LaunchRefusal) -> CommandFailure {
    let failure = refused(refusal.word, "\(refusal)".replacing("APP", with: app.id))
    guard case .notInstalled(let error) = refusal else { return failure }
    return CommandFailure(CommandFailure(error).code, failure.description)
  }

  private func refused(_ word: String, _ sentence: String) -> CommandFailure {
    if parsed.has(CommonOptions.json) {
      console.print(["decision": "refuse", "reason": .string(word), "sentence": .string(sentence)])
    }
    return CommandFailure(.partial, "\(found.fullName): \(TextTable.printable(sentence))")
  }
}

extension AuthenticationResult {
  /// The word for programs.
  fileprivate var word: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .timedOut: "timedOut"
    case .tooManyAttempts: "tooManyAttempts"
    case .nobodyAsks, .unavailable: "unavailable"
    }
  }

  /// What came of it, for people.
  fileprivate var sentence: String {
    switch self {
    case .succeeded: "it is you"
    case .failed: "the authentication failed"
    case .cancelled: "the authentication was cancelled"
    case .timedOut: "the authentication took too long"
    case .tooManyAttempts: "there were too many attempts; wait before the next"
    case .nobodyAsks: "nobody here can be asked"
    case .unavailable(let reason): "the authentication is not to be had: \(reason)"
    }
  }
}

extension CommandFailure {
  /// What could not be opened, with the code that it ends in.
  init(_ error: ApplicationOpeningError) {
    let code: ExitCode =
      switch error {
      case .notInstalled, .noCommand, .noProgram: .missing
      case .notExecutable, .notStarted, .endedAtStart, .nobody: .notExecuted
      case .installation, .mailbox: .store
      }
    self.init(code, TextTable.printable("\(error)"))
  }
}
