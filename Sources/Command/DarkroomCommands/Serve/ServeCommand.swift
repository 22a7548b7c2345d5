// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
package import HostService
internal import LinuxPrimitives
internal import Prewarming
package import SessionStore

/// `darkroom serve`: runs a persistent host on behalf of other commands and of programs.
///
/// The server is the program `darkroom-host`, which replaces the program of the command.
package enum ServeCommand: Command {
  /// The program of the server, in the directory of this executable.
  private static let program = "darkroom-host"

  private static let unit = OptionSpec.flag(
    "unit",
    help: "Print a systemd user unit that runs the server, and exit"
  )
  private static let warm = OptionSpec.value(
    "warm",
    "N",
    .integer(0...64),
    default: "4",
    help: "Keep at most N prewarmed extensions; 0 disables prewarming"
  )
  private static let lifetime = OptionSpec.value(
    "warm-lifetime",
    "DURATION",
    .duration,
    default: "5m",
    help: "Replace a prewarmed extension after DURATION"
  )
  private static let camera = OptionSpec.value(
    "camera",
    "SOURCE",
    help: "Prewarm at once for a press at the lock screen with this camera (default: after the first session)"
  )
  private static let dbus = OptionSpec.flag(
    "dbus",
    help: "Serve the name org.darkroom.Host1 on the session bus, too"
  )
  private static let lockState = OptionSpec.value(
    "lock-state",
    "SOURCE",
    .choice(ProgramServerOptions.LockStateOption.allCases.map(\.rawValue)),
    default: "standard",
    help: "For programs: follow the system's lock state, fix it, or let clients set it, which starts locked"
  )
  private static let photoLibrary = OptionSpec.value(
    "photo-library",
    "LIBRARY",
    default: "standard",
    help: "For programs: use the user's photo library, none, or that in a directory"
  )

  package static let spec = CommandSpec(
    "serve",
    summary: "Run sessions for commands and programs; prewarm extensions",
    discussion: """
      While the server runs, 'darkroom run', 'exec', 'control press' and 'control listen' of the same user with \
      the same state root are executed by the server. Their output, exit codes and reactions to signals do not \
      change. Each command keeps its environment, current directory, file mode mask and terminal. A command with \
      other privileges than the server runs in its own process.

      Programs in any language connect to the socket serve/host in the state root and speak JSON-RPC 2.0, one \
      message a line; the method rpc.discover returns a description of all methods. Only processes of the same \
      user, and with the same confinement as the server, are served. A session is dismissed when the program that launched it disconnects.

      An extension whose manifest contains "warm" is prewarmed: it is started in its sandbox without data of the \
      user, and waits for one launch. 'darkroom ps' lists the prewarmed extensions.

      SIGTERM terminates the prewarmed extensions, dismisses all sessions, and stops the server when the last \
      session is migrated. With --json, each line of the output is an event.

      The program of the server is darkroom-host. 'darkroom-host' with the same options does the same.
      """,
    options: [unit, warm, lifetime, camera, dbus, lockState, photoLibrary],
    examples: [
      ExampleSpec("darkroom serve", "Serve the state root of this user until SIGTERM"),
      ExampleSpec(
        "darkroom serve --camera pattern --warm 2",
        "Prewarm two extensions for a press at the lock screen"
      ),
      ExampleSpec("darkroom serve --dbus --lock-state settable", "Serve a lock screen on the session bus"),
      ExampleSpec(
        "darkroom serve --unit > ~/.config/systemd/user/darkroom.service",
        "Create a systemd user unit"
      ),
    ],
    exitCodes: [
      ExitCode.success("A signal stopped the server, and every session is migrated"),
      ExitCode.usage.when("The command line or an option value is invalid"),
      ExitCode.missing.when("The camera does not exist"),
      ExitCode.unavailable.when("The message bus is not available, or was disconnected"),
      ExitCode.machine.when("The kernel lacks a required feature, or the server failed"),
      ExitCode.unusableStore, ExitCode.temporaryFailure.when("Another server uses the state root"),
    ]
  )

  /// Returns the program of the server, which has the options of the command. `programs` is the part that serves
  /// programs.
  package static func hostProgram(_ programs: any ProgramServer.Type) -> DarkroomCommandLine.Program {
    let spec = CommandSpec(
      program,
      summary: spec.summary,
      discussion: spec.discussion,
      options: [CommonOptions.root, CommonOptions.json] + spec.options.filter { $0 != unit },
      examples: [ExampleSpec(program, "Serve the state root of this user until SIGTERM")],
      exitCodes: spec.exitCodes,
      commonExitCodes: ExitCode.common
    )
    return .init(spec: spec) { parsed, _, console throws(CommandFailure) in
      try serve(parsed, console, programs)
    }
  }

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    if parsed.has(unit) {
      let root = try CommonOptions.resolvedRoot(parsed, console).path
      do {
        let options = parsed.has(dbus) ? ["--dbus"] : []
        let program = try CurrentProcess.executablePath()
        console.printText(ServiceUnit.text(program: program, root: root, options: options))
      } catch {
        throw CommandFailure(.machine, "\(error)")
      }
      return 0
    }
    try startProgram(parsed)
  }

  /// Replaces the program of this process by the server.
  private static func startProgram(_ parsed: ParsedCommand) throws(CommandFailure) -> Never {
    var words: [String] = []
    for option in [CommonOptions.root, CommonOptions.json] + spec.options where parsed.has(option) {
      words += ["--\(option.long)"] + parsed.values(of: option).suffix(1)
    }
    do throws(SystemCallError) {
      let directory = FileSystem.directoryName(try CurrentProcess.executablePath())
      try CurrentProcess.execute("\(directory)/\(program)", words)
    } catch {
      throw CommandFailure(
        .machine,
        "the program of the server cannot be started: \(error); run 'swift build', or install the package again"
      )
    }
  }

  /// Serves until a signal arrives and all sessions are migrated.
  private static func serve(
    _ parsed: ParsedCommand,
    _ console: Console,
    _ programs: any ProgramServer.Type
  ) throws(CommandFailure) -> Int32 {
    // This must precede the creation of any thread, because threads inherit the signal mask.
    let signals = try SessionCommands.hostSignals(console)
    var supply = try supply(parsed)
    supply.notice = { console.note("darkroom: \($0)") }
    let root = try CommonOptions.sessionRoot(parsed, console)
    let seat = try ServiceEndpoint.ofServer(root, for: .commands)
    // Each session needs about twelve descriptors. Extensions are launched with the original limit.
    FileLimit.raise()
    let (resources, stopper): (HostResources, ServerStopper)
    do {
      stopper = try ServerStopper()
      resources = try HostResources(stateRoot: root, supply: supply)
    } catch { throw CommandFailure(.machine, "the server cannot start: \(error)") }
    // The resources are closed after the last session, even if the server failed.
    defer { resources.close() }
    let served = try programs.init(root, resources, programOptions(parsed), server: stopper)
    let output = ServiceOutput(console, asJSON: parsed.has(CommonOptions.json))
    var configuration = ServiceConfiguration(
      version: DarkroomCommandLine.version,
      perform: { ServedCommands.perform($0, resources) },
      name: { call throws(ServiceRefusal) in try ServedCommands.commandName(call) },
      supply: { PrewarmingStatus(resources.status) },
      dismiss: {
        served.stop()
        resources.dismiss()
      },
      tell: { output.report($0) }
    )
    (configuration.programSocket, configuration.isFinished) = (served.socket, { served.isFinished })
    do {
      let manager = ServiceManager(environment: console.environment)
      let server = try HostServer(seat, configuration, manager: manager, stopper: stopper)
      try server.serve(until: signals.descriptor)
    } catch {
      served.stop()
      try? served.finish()
      throw CommandFailure(.machine, "the server failed: \(error)")
    }
    try served.finish()
    return 0
  }

  private static func programOptions(_ parsed: ParsedCommand) -> ProgramServerOptions {
    ProgramServerOptions(
      lockState: parsed.value(of: lockState).flatMap { .init(rawValue: $0) } ?? .standard,
      photoLibrary: parsed.value(of: photoLibrary) ?? "standard",
      usesMessageBus: parsed.has(dbus)
    )
  }

  /// Returns the limits of the prewarmed extensions, and checks the camera. An invalid camera is reported
  /// now, not at the first launch.
  private static func supply(_ parsed: ParsedCommand) throws(CommandFailure)
    -> HostResources.PrewarmingConfiguration
  {
    var limits = PrewarmPool.Limits()
    limits.all = parsed.integer(of: warm) ?? limits.all
    limits.lifetime = parsed.duration(of: lifetime)?.seconds ?? limits.lifetime
    guard (1...86400).contains(limits.lifetime) else {
      throw CommandFailure(.usage, "--warm-lifetime must be from 1s to 24h")
    }
    var supply = HostResources.PrewarmingConfiguration()
    supply.limits = limits.all > 0 ? limits : nil
    supply.camera = parsed.value(of: camera)
    guard let camera = supply.camera else { return supply }
    guard limits.all > 0 else {
      throw CommandFailure(.usage, "--camera cannot be combined with --warm 0")
    }
    do throws(SessionError) { try HostResources.check(camera: camera) } catch {
      throw CommandFailure(.missing, "\(error)")
    }
    return supply
  }
}

extension ServiceEndpoint {
  /// Acquires the right to serve commands or programs in a state root.
  package static func ofServer(
    _ root: StateRoot,
    for clients: ServicePaths.Clients
  ) throws(CommandFailure) -> ServiceEndpoint {
    do throws(ServiceError) { return try acquire(ServicePaths(root: root.path, for: clients)) } catch {
      switch error {
      case .held: throw CommandFailure(.temporaryFailure, "\(error)")
      case .notPrivate, .system: throw CommandFailure(.store, "\(error)")
      }
    }
  }
}

extension PrewarmingStatus {
  /// Creates the server's report on its prewarmed extensions.
  fileprivate init(_ standing: HostResources.Status) {
    self.init(
      waiting: standing.prewarmedCount,
      maximumWaiting: standing.maximumWaiting,
      launched: standing.ends[.launched] ?? 0,
      brokered: standing.brokered,
      brokerFault: standing.brokerFault.map { "\($0)" }
    )
  }
}
