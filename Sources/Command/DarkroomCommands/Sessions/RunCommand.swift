// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
package import CommandGrammar
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
    help: "Run the steps in FILE, one per line: press primary, wait 500ms, expect files 1, dismiss"
  )
  private static let grace = OptionSpec.value(
    "grace",
    "DURATION",
    .duration,
    default: "5s",
    help: "Wait DURATION for the exit of the extension after its dismissal"
  )
  /// The option for the place where the viewfinder is shown.
  static let preview = OptionSpec.value(
    "preview",
    "terminal[:WAY]|window|FILE",
    .file,
    help: "Show the viewfinder in this terminal or in a window, or write it to FILE"
  )
  private static let watchdog = OptionSpec.value(
    "watchdog",
    "DURATION",
    .duration,
    help: "Require camera, viewfinder and capture events within DURATION (0s: no limit)"
  )
  private static let idle = OptionSpec.value(
    "idle",
    "DURATION",
    .duration,
    default: "0s",
    help: "Dismiss the session after DURATION without user input (0s: never)"
  )
  private static let debug = OptionSpec.flag(
    "debug",
    help: "Stop the extension before its first instruction, and wait for a debugger"
  )
  private static let digests = OptionSpec.flag(
    "digests",
    help: "Record the SHA-256 digest of every captured file"
  )
  /// The option for a signed audit, which a launch requires.
  private static let requireAudit = OptionSpec.value(
    "require-audit",
    "FILE",
    .file,
    help: "Refuse the launch unless the signed audit in FILE matches the installation (needs --audit-key)"
  )
  private static let auditKey = OptionSpec.value(
    "audit-key",
    "FILE",
    .file,
    help: "Verify the audit of --require-audit with the public key in FILE"
  )
  private static let quiet = OptionSpec.flag(
    "quiet",
    short: "q",
    help: "Hide the output of the extension; the log of the session contains it"
  )
  private static let extensionID = ArgumentSpec("EXTENSION", help: "The ID of an installed extension")

  package static let spec = CommandSpec(
    "run",
    summary: "Run an installed extension",
    discussion: """
      The session lasts until the user dismisses it, the extension exits, or a deadline passes. Afterwards, its \
      content is migrated to the app.

      In a terminal, keys are the buttons of the camera:

        space  press the shutter
        s      press the second button
        d, q   dismiss the session, quit
        tab    select the next camera control of the extension
        +, -   change the value of the selected control
        f, h   show the controls on the whole display, hide the controls

      Without a terminal, --script provides the events. Without a script, the session lasts until the extension \
      exits, a deadline passes, or this command receives SIGTERM or SIGINT. --keys reads the keys of the machine \
      and of headsets, too, such as volume keys, KEY_CAMERA and KEY_PLAYPAUSE.

      Values of --camera:

        /dev/video0, /dev/video0:1280x720@30  a camera, with size and frame rate
        pipewire, pipewire:NODE               a camera of PipeWire
        FILE                                  a JPEG or PNG image, a YUV4MPEG2 video
        -                                     a YUV4MPEG2 video on standard input
        pattern, pattern:640x480@30           a test pattern

      Values of --preview:

        terminal[:WAY]  this terminal; WAY is blocks, sixel or kitty
        window          a Wayland window; to close it dismisses the session
        FILE            a file or named pipe, for a YUV4MPEG2 video

      With --preview terminal, the output of the extension is only in the log of the session. With --debug, \
      deadlines do not run until a debugger has attached and while it is attached.
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
    exitCodes: ExitCode.session(
      [
        ExitCode.success("The extension exited with 0, or was terminated by its dismissal"),
        ExitCode.checkFailed.when("An expectation of --script is not met"),
        ExitCode.data.when(
          "A policy, script, audit or learning file is invalid; or the audit does not match the installation"
        ),
        ExitCode.missing.when("The extension, or a file or device of an option, cannot be found or opened"),
        ExitCode.output.when("The output or the viewfinder file could not be written"),
        ExitCode.cancelled.when("The user cancelled the prompt for a device"),
      ]
    )
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
    if parsed.has(debug) { console.note("darkroom: to end the session, press Ctrl-C here") }
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
