// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import ExtensionProtocol
internal import LaunchPlanning
internal import LinuxPrimitives
internal import SandboxLaunch
internal import SessionServices
internal import SessionStore

/// `darkroom exec`: runs any program as an extension that does not use the protocol.
package enum ExecCommand: Command {
  private static let app = OptionSpec.value(
    "app",
    "ID",
    .text,
    .required,
    help: "Migrate the content of /session to the app ID"
  )
  private static let policy = OptionSpec.value(
    "policy",
    "NAME|FILE",
    .choiceOrFile(PolicyFinder.shippedNames),
    default: "capture",
    help: "Run the program under this policy"
  )
  static let readOnly = OptionSpec.value(
    "read-only",
    "PATH",
    .file,
    .repeated,
    help: "Let the program read and execute this path of the host"
  )
  static let variable = OptionSpec.value(
    "env",
    "NAME=VALUE",
    .assignment,
    .repeated,
    help: "Set a variable; the program inherits none of the variables of this shell"
  )
  private static let program = ArgumentSpec(
    "PROGRAM [ARG]",
    .rest(.firstWord, atLeast: 1),
    .file,
    help: "The program and its arguments"
  )

  package static let spec = CommandSpec(
    "exec",
    summary: "Run any program in the sandbox",
    discussion: """
      The program has the standard input, output and error of this command, and its exit code is that of this \
      command. The content of /session is migrated to the app. The program sees:

        /session               the session directory, also $DARKROOM_SESSION_DIR
        $DARKROOM_APP_CONTEXT  a file with the app context
        /container             scratch space

      The program cannot write to other files, and has no network.

      A visible program runs at its own path, and sees the files next to it. The paths of the policy, such as \
      everything in /usr, and the paths of --read-only are visible. Any other program is a single file in \
      /extension; the command reports the libraries that are missing there before the program starts.

      'darkroom run --help' has the values of --camera.
      """,
    options: [
      app, policy, readOnly, variable, CommonOptions.camera, DeviceOptions.allow, LearningOutput.learn,
      CommonOptions.record,
    ],
    arguments: [program],
    examples: [
      ExampleSpec(
        "darkroom exec --app org.example.camera -- sh -c 'date > /session/now.txt'",
        "Capture the time of day"
      ),
      ExampleSpec(
        "darkroom exec --app org.example.camera --camera pattern -- ffmpeg -i - -frames:v 90 /session/clip.mkv",
        "Record three seconds with an unchanged ffmpeg"
      ),
      ExampleSpec(
        "darkroom exec --app org.example.camera --read-only $PWD/venv -- venv/bin/python -m capture",
        "Run a module of a virtual environment"
      ),
    ],
    exitCodes: ExitCode.session(
      [
        ExitCode.success("The program exited with 0, or was terminated by its dismissal"),
        ExitCode.data.when("The policy or the learning file is invalid"),
        ExitCode.missing.when("The policy, or a file or device of an option, cannot be found or opened"),
        ExitCode.notExecuted.when("The program could not be started"),
        ExitCode.notFound.when("The program does not exist"),
        ExitCode.cancelled.when("The user cancelled the prompt for a device"),
        ExitCodeSpec("other", "The program's own exit code"),
      ],
      omitting: [.protocolViolation]
    )
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    // This must precede the creation of any thread, because threads inherit the signal mask.
    let signals = try SessionCommands.hostSignals(console)
    try SessionCommands.checkRecord(parsed)
    let root = try CommonOptions.sessionRoot(parsed, console)
    SessionCommands.recoverEarlierSessions(root, console)
    var request = try request(parsed, root, console)
    let granted: Set<PermissionSubject> = parsed.has(CommonOptions.camera) ? [.camera] : []
    let asked = PermissionResolution(app: request.extension.app.id, reasons: .notNeeded, granted: granted)
    let name = parsed.values(of: program).first ?? ""
    let app = request.extension.app
    request.dependencies = HostEnvironment.session(
      ofProgramFor: app,
      try DeviceOptions(parsed, console, signals).request(app, name, asked),
      ApplicationOpener(app, environment: console.environment),
      environment: console.environment
    )
    let permission = request.dependencies.permissions.resolved[.camera]
    if request.devices.camera != nil, !permission.isUsable, !DeviceAccessRequest.explains(permission) {
      console.note(
        "darkroom: \(request.extension.app.id) may not use the camera (\(permission.status.rawValue)), so the program gets no "
          + "frames; run 'darkroom permission set \(request.extension.app.id) camera authorized'"
      )
    }
    request.notice = { console.note("darkroom: \($0)") }
    if CurrentProcess.isTerminal(console.error) { request.refusalReport = .whileRunning }
    let picture = LearningOutput.picture(
      parsed,
      &request,
      subject: parsed.values(of: program),
      console
    )
    let report = try SessionCommands.run(request, NoControl(), root, signals, console)
    BackgroundPrune.start(root)
    try SessionCommands.writeRecord(report, parsed)
    if let picture {
      LearningOutput.note(try LearningOutput.learn(report, request.subject.policy, picture), picture, console)
    }
    return SessionCommands.conclude(
      report,
      console,
      naming: parsed.values(of: program).first ?? "the program"
    )
  }

  /// Returns the launch of the program that the user named.
  static func launch(_ words: [String], _ parsed: ParsedCommand, _ found: FoundPolicy) -> ProgramLaunch {
    ProgramLaunch(
      words,
      policy: found,
      readOnly: parsed.values(of: readOnly),
      environment: parsed.assignments(of: variable).map { .init($0.name, $0.value) },
      camera: parsed.value(of: CommonOptions.camera)
    )
  }

  /// Finds the program of a launch. Prints notes about files that the program will not find.
  static func target(
    _ launch: ProgramLaunch,
    _ root: StateRoot,
    _ console: Console
  ) throws(CommandFailure) -> LaunchTarget {
    do throws(PlanError) {
      let (target, notes) = try launch.target(root)
      for note in notes { console.note("darkroom: \(note)") }
      return target
    } catch {
      if case .programNotFound = error { throw CommandFailure(.notFound, "\(error)") }
      throw CommandFailure(.notExecuted, "\(error)")
    }
  }

  private static func request(
    _ parsed: ParsedCommand,
    _ root: StateRoot,
    _ console: Console
  ) throws(CommandFailure) -> SessionRequest {
    let app = try CommonOptions.app(parsed.value(of: app) ?? "", root)
    let found = try SessionCommands.policy(parsed.value(of: policy) ?? "capture")
    let launch = launch(parsed.values(of: program), parsed, found)
    let target = try target(launch, root, console)
    return launch.request(target, app: app, named: "exec", standard: .inherited)
  }
}
