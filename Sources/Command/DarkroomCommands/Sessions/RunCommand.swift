// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
package import CommandGrammar
internal import DarkroomHost
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyExplanation
internal import PolicyLearning
internal import PolicyTrials
internal import SessionServices
internal import SessionSimulation
internal import SessionStore
internal import Viewfinders

/// `darkroom run`: runs a session of an installed extension in the foreground.
package enum RunCommand: Command {
  /// The option for a script of the events in a session.
  static let script = OptionSpec.value(
    "script",
    "FILE",
    .file,
    help:
      "Do what FILE says, one step a line: await listening, press primary, wait 500ms, expect files 1, dismiss"
  )
  private static let grace = OptionSpec.value(
    "grace",
    "DURATION",
    .duration,
    default: "5s",
    help: "How long the extension may take to end after its dismissal"
  )
  /// The option for the place where the viewfinder is shown.
  static let preview = OptionSpec.value(
    "preview",
    "terminal[:WAY]|window|FILE",
    .file,
    help:
      "Show the viewfinder that the extension draws: in this terminal, by blocks, sixel or kitty, in a window (Wayland), "
      + "or as a YUV4MPEG2 stream into a file or named pipe"
  )
  private static let watchdog = OptionSpec.value(
    "watchdog",
    "DURATION",
    .duration,
    help: "How long it may take to have the camera, a viewfinder and capture events; 0s: as long as it likes"
  )
  private static let idle = OptionSpec.value(
    "idle",
    "DURATION",
    .duration,
    default: "0s",
    help: "Dismiss the session when nobody has done anything for so long; 0s: never"
  )
  private static let debug = OptionSpec.flag(
    "debug",
    help:
      "Stop the extension before its first instruction until a debugger has attached, and say how to attach"
  )
  private static let digests = OptionSpec.flag(
    "digests",
    help: "Note the SHA-256 of every captured file in the record"
  )
  /// The option for a signed audit, which a launch requires.
  private static let requireAudit = OptionSpec.value(
    "require-audit",
    "FILE",
    .file,
    help: "Refuse the launch unless the signed audit in FILE is about what is installed (with --audit-key)"
  )
  private static let auditKey = OptionSpec.value(
    "audit-key",
    "FILE",
    .file,
    help: "With --require-audit: the public key of the auditor"
  )
  private static let quiet = OptionSpec.flag(
    "quiet",
    short: "q",
    help: "Do not show what the extension writes; it is in the session's log either way"
  )
  private static let extensionID = ArgumentSpec("EXTENSION", help: "The id of an installed extension")

  package static let spec = CommandSpec(
    "run",
    summary: "Run an installed extension until it is dismissed, and hand over what it captured",
    discussion: """
      In a terminal, keys stand for the camera's buttons: space is the shutter, s the second button, d dismisses and q \
      quits. If the extension has camera controls, tab takes up the next one, + and - turn it, f lets them fill the \
      display and h puts them away. Without a terminal, --script says what happens; without either, the session \
      lasts until the extension ends, a deadline passes, or this command is sent SIGTERM or SIGINT. With --keys, the \
      buttons of the machine and of headsets are read besides: volume keys, KEY_CAMERA, KEY_PLAYPAUSE. With --preview \
      terminal, what the extension writes is not shown beside its viewfinder; it is in the session's log. With --preview \
      window, to close the window is to dismiss the session. With --debug, no deadline runs before a debugger has attached, \
      nor while it is.
      """,
    options: [
      CommonOptions.camera, CommonOptions.microphone, DeviceOptions.allow, script, KeyOption.keys,
      grace,
      preview, watchdog, idle, debug, digests, requireAudit, auditKey, quiet, LearningOutput.learn,
      CommonOptions.record,
    ] + HostEnvironment.options,
    arguments: [extensionID],
    examples: [
      ExampleSpec(
        "darkroom run org.darkroom.sample.snapshot --camera pattern --script shots.txt",
        "Play a script of presses"
      ),
      ExampleSpec(
        "darkroom run org.darkroom.sample.dictaphone --microphone alsa:default",
        "Record what the microphone hears"
      ),
      ExampleSpec(
        "darkroom run org.darkroom.sample.snapshot --camera pattern --keys auto",
        "Take pictures with the volume keys"
      ),
      ExampleSpec(
        "darkroom run org.darkroom.sample.snapshot --camera pattern --debug",
        "Wait for gdb or lldb before the first instruction"
      ),
    ],
    exitCodes: ExitCode.table
  )

  /// Throws if a request cannot succeed, before anything is started.
  private static func check(_ parsed: ParsedCommand) throws(CommandFailure) {
    if parsed.has(debug), let obstacle = DebuggerAccess.current.obstacle {
      throw CommandFailure(.machine, obstacle)
    }
    guard parsed.has(requireAudit) == parsed.has(auditKey) else {
      throw CommandFailure(.usage, "--require-audit and --audit-key require each other; give both options")
    }
    // A mistake in the command line is reported before the extension is searched.
    if let text = parsed.value(of: preview) { _ = try PreviewChoice(text) }
    try SessionCommands.checkRecord(parsed)
  }

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    try check(parsed)
    let signals = try SessionCommands.hostSignals(console)
    let root = try CommonOptions.sessionRoot(parsed, console)
    SessionCommands.recoverEarlierSessions(root, console)
    let id = parsed.value(of: extensionID) ?? ""
    let installed = try holdExtension(id, root)
    let resolution = try resolution(installed.extension, root, parsed, console, signals)
    // The preview queries the terminal. The answers must be read before the terminal control starts, which
    // would take them for keys.
    let shown = try shown(parsed, console)
    defer { shown.end(nil) }
    let control = try control(parsed, console, filter: shown.terminal?.keys ?? TerminalKeyFilter())
    shown.terminal?.stop.control = control as? TerminalControl
    let keys = try KeyOption.control(KeyOption.keys, parsed, console)
    let choices = choices(parsed, console, viewfinder: shown.terminal)
    var request: SessionRequest
    do {
      request = try ExtensionLaunch.request(installed.extension, root, choices)
    } catch { throw CommandFailure(error) }
    (request.previewPath, request.previewScreen) = (shown.path, shown.screen)
    request.notice = { text in
      if let terminal = shown.terminal { terminal.note(text) } else { console.note("darkroom: \(text)") }
    }
    if CurrentProcess.isTerminal(console.error) { request.refusalReport = .whileRunning }
    let surroundings = HostEnvironment(root, parsed, console)
    surroundings.pauseDuringPrompt(control, shown.terminal?.viewfinder)
    request.dependencies = surroundings.session(
      request.extension.app,
      resolution,
      ApplicationOpener(request.extension.app, environment: console.environment),
      AdministrationFiles(environment: console.environment)
    )
    SessionCommands.explainMissingSound(request, console)
    request.dependencies.keys = keys
    request.dependencies.terminalStop = shown.terminal?.stop
    let picture = LearningOutput.picture(parsed, &request, subject: [id], console)
    let report = try SessionCommands.run(request, control, root, signals, console)
    shown.end(TextTable.printable("\(report.record.outcome)"))
    // The terminal is restored before any output, because the user may then type the next command.
    control.end()
    BackgroundPrune.start(root)
    let learned = try finish(report, request, picture, parsed)
    SessionCommands.show(report, learned, asJSON: parsed.has(CommonOptions.json), console)
    if let learned, let picture { LearningOutput.note(learned, picture, console) }
    let code = SessionCommands.conclude(report, console, naming: id)
    return ScriptFile.conclude(control, report, parsed.value(of: script), code, console)
  }

  /// Writes the record and the learned calls to the files that the options name. Returns the learned calls.
  private static func finish(
    _ report: SessionReport,
    _ request: SessionRequest,
    _ picture: LearningFile?,
    _ parsed: ParsedCommand
  ) throws(CommandFailure) -> LearningReport? {
    try SessionCommands.writeRecord(report, parsed)
    return try picture.map { file throws(CommandFailure) in
      try LearningOutput.learn(report, request.subject.policy, file)
    }
  }

  /// Returns the launch choices. The extension's output is hidden while its viewfinder is shown in the
  /// terminal.
  private static func choices(
    _ parsed: ParsedCommand,
    _ console: Console,
    viewfinder shown: TerminalPreview?
  ) -> ExtensionLaunch.Choices {
    var choices = ExtensionLaunch.Choices()
    choices.camera = parsed.value(of: CommonOptions.camera)
    choices.microphone = CommonOptions.microphone(parsed)
    let isHidden = shown != nil && CurrentProcess.isTerminal(console.error)
    choices.echo = parsed.has(quiet) || isHidden ? nil : console.error
    choices.digests = parsed.has(digests) ? .sha256 : .none
    if let grace = parsed.duration(of: grace) { choices.dismissalGrace = grace.seconds }
    if let time = parsed.duration(of: watchdog)?.seconds {
      choices.watchdog = time > 0 ? .seconds(time) : .off
    }
    if let time = parsed.duration(of: idle)?.seconds { choices.idleTimeout = time }
    if parsed.has(debug) { choices.debugger = .required }
    choices.administration = AdministrationFiles(environment: console.environment)
    if let path = parsed.value(of: requireAudit), let key = parsed.value(of: auditKey) {
      choices.audit = AuditRequirement(attestation: path, publicKey: key)
    }
    return choices
  }

  /// Returns the permissions of the session. The command line grants the devices that it names, unless the
  /// user has decided otherwise.
  private static func resolution(
    _ installed: InstalledExtension,
    _ root: StateRoot,
    _ parsed: ParsedCommand,
    _ console: Console,
    _ signals: HostSignals
  ) throws(CommandFailure) -> PermissionResolution {
    let camera: Set<PermissionSubject> = parsed.has(CommonOptions.camera) ? [.camera] : []
    let sound: Set<PermissionSubject> = CommonOptions.microphone(parsed) == nil ? [] : [.microphone]
    let resolution = PermissionResolution(installed, granted: camera.union(sound))
    let app = try CommonOptions.app(installed.app.id, root)
    return try DeviceOptions(parsed, console, signals).request(app, installed.app.name, resolution)
  }

  /// Starts to show the viewfinder in the requested place.
  private static func shown(
    _ parsed: ParsedCommand,
    _ console: Console
  ) throws(CommandFailure) -> ActivePreview {
    guard let text = parsed.value(of: preview) else { return ActivePreview() }
    switch try PreviewChoice(text) {
    case .file(let path): return ActivePreview(path: path)
    case .window: return ActivePreview(window: try WindowPreview.start(console))
    case .terminal(let graphics):
      guard !parsed.has(debug) else {
        throw CommandFailure(
          .usage,
          "--debug cannot be combined with --preview terminal, which would hide the instructions for the debugger; use "
            + "--preview window or --preview FILE"
        )
      }
      let keys = readsKeys(parsed, console) ? TerminalControl.shortHelp : ""
      return ActivePreview(terminal: try TerminalPreview.start(graphics, keys: keys, console))
    }
  }

  /// Holds an extension, for the duration of its session.
  static func holdExtension(_ id: String, _ root: StateRoot) throws(CommandFailure) -> ExtensionHold {
    do throws(CatalogError) {
      if let hold = try ExtensionHold.take(id, in: root) { return hold }
    } catch { throw CommandFailure(error) }
    throw CommandFailure(.store, "\(id) is reinstalled repeatedly at this moment; try again later")
  }

  /// Returns the source of user actions: a script, the keys of the terminal, or none.
  static func control(
    _ parsed: ParsedCommand,
    _ console: Console,
    filter: TerminalKeyFilter = TerminalKeyFilter()
  ) throws(CommandFailure) -> any SessionControl {
    if let path = parsed.value(of: script) { return ScriptedControl(try ScriptFile.readForSession(path)) }
    guard readsKeys(parsed, console) else { return NoControl() }
    console.note(TerminalControl.help)
    do { return try TerminalControl(console.input, turn: console.turn, filter: filter) } catch {
      throw CommandFailure(.machine, "\(error)")
    }
  }

  /// Returns whether the keys of the terminal are the buttons of the camera.
  private static func readsKeys(_ parsed: ParsedCommand, _ console: Console) -> Bool {
    !parsed.has(script) && CurrentProcess.isTerminal(console.input)
      && parsed.value(of: CommonOptions.camera) != "-"
  }
}

extension Duration {
  /// The duration in seconds.
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
