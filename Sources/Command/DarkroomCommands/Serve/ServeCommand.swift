// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import HostService
internal import LinuxPrimitives
internal import Prewarming
internal import SessionStore

/// `darkroom serve`: runs a persistent host on behalf of the other commands.
package enum ServeCommand: Command {
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

  package static let spec = CommandSpec(
    "serve",
    summary: "Run sessions for other commands, and prewarm extensions",
    discussion: """
      While the server runs, 'darkroom run', 'exec', 'control press' and 'control listen' of the same user with \
      the same state root are executed by the server. Their output, exit codes and reactions to signals do not \
      change. Each command keeps its environment, current directory, file mode mask and terminal. A command with \
      other privileges than the server runs in its own process.

      An extension whose manifest contains "warm" is prewarmed: it is started in its sandbox without data of the \
      user, and waits for one launch. 'darkroom ps' lists the prewarmed extensions.

      SIGTERM terminates the prewarmed extensions, dismisses all sessions, and stops the server when the last \
      session is migrated. With --json, each line of the output is an event.
      """,
    options: [unit, warm, lifetime, camera],
    examples: [
      ExampleSpec("darkroom serve", "Serve the state root of this user until SIGTERM"),
      ExampleSpec(
        "darkroom serve --camera pattern --warm 2",
        "Prewarm two extensions for a press at the lock screen"
      ),
      ExampleSpec(
        "darkroom serve --unit > ~/.config/systemd/user/darkroom.service",
        "Create a systemd user unit"
      ),
    ],
    exitCodes: [
      ExitCode.success("A signal stopped the server, and every session is migrated"),
      ExitCode.usage.when("The command line or an option value is invalid"),
      ExitCode.missing.when("The camera does not exist"),
      ExitCode.machine.when("The kernel lacks a required feature, or the server failed"),
      ExitCode.unusableStore, ExitCode.temporaryFailure.when("Another server uses the state root"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    if parsed.has(unit) {
      let root = try CommonOptions.resolvedRoot(parsed, console).path
      do {
        console.printText(ServiceUnit.text(program: try CurrentProcess.executablePath(), root: root))
      } catch {
        throw CommandFailure(.machine, "\(error)")
      }
      return 0
    }
    // This must precede the creation of any thread, because threads inherit the signal mask.
    let signals = try SessionCommands.hostSignals(console)
    var supply = try supply(parsed)
    supply.notice = { console.note("darkroom: \($0)") }
    let root = try CommonOptions.sessionRoot(parsed, console)
    let seat: ServiceEndpoint
    do { seat = try ServiceEndpoint.acquire(ServicePaths(root: root.path)) } catch {
      switch error {
      case .held: throw CommandFailure(.temporaryFailure, "\(error)")
      case .notPrivate, .system: throw CommandFailure(.store, "\(error)")
      }
    }
    // Each session needs about twelve descriptors. Extensions are launched with the original limit.
    FileLimit.raise()
    let resources: HostResources
    do { resources = try HostResources(stateRoot: root, supply: supply) } catch {
      throw CommandFailure(.machine, "the server cannot start: \(error)")
    }
    // The resources are closed after the last session, even if the server failed.
    defer { resources.close() }
    let output = ServiceOutput(console, asJSON: parsed.has(CommonOptions.json))
    let terms = ServiceConfiguration(
      version: DarkroomCommandLine.version,
      perform: { ServedCommands.perform($0, resources) },
      name: { call throws(ServiceRefusal) in try ServedCommands.commandName(call) },
      supply: { PrewarmingStatus(resources.status) },
      dismiss: { resources.dismiss() },
      tell: { output.report($0) }
    )
    do {
      let manager = ServiceManager(environment: console.environment)
      try HostServer(seat, terms, manager: manager).serve(until: signals.descriptor)
    } catch { throw CommandFailure(.machine, "the server failed: \(error)") }
    return 0
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
