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
    help: "Print a unit with which systemd runs the server for this user, and do nothing else"
  )
  private static let warm = OptionSpec.value(
    "warm",
    "N",
    .integer(0...64),
    default: "4",
    help: "How many extensions wait at most that were started ahead, because their manifests say so; 0: none"
  )
  private static let lifetime = OptionSpec.value(
    "warm-lifetime",
    "DURATION",
    .duration,
    default: "5m",
    help: "How long one of them waits before another takes its place"
  )
  private static let camera = OptionSpec.value(
    "camera",
    "SOURCE",
    help:
      "Start them ahead at once, for a press at the lock screen with this camera; else after their first session"
  )

  package static let spec = CommandSpec(
    "serve",
    summary: "Stay, and run what other commands launch, so that they find prepared what they need",
    discussion: """
      While it runs, 'darkroom run', 'exec', 'control press' and 'control listen' of the same user, with the same state \
      root, give it their work; what they print, their exit codes and what signals to them do stay the same. Each finds \
      there its own environment, current directory, file mode mask and terminal, and whoever may do less or other than the \
      server is left to themselves. An extension whose manifest says "warm" is started ahead, in its sandbox and with \
      nothing of the person's, and waits to be launched once; 'darkroom ps' lists what waits. SIGTERM ends what waits, \
      dismisses all sessions, and ends the server when the last is handed over. With --json, each line of the output is \
      an event.
      """,
    options: [unit, warm, lifetime, camera],
    examples: [
      ExampleSpec("darkroom serve", "Serve this user's state root until SIGTERM"),
      ExampleSpec(
        "darkroom serve --camera pattern --warm 2",
        "Have two extensions wait for a press at the lock screen"
      ),
      ExampleSpec(
        "darkroom serve --unit > ~/.config/systemd/user/darkroom.service",
        "Let systemd run it"
      ),
    ],
    exitCodes: [
      ExitCodeSpec("0", "It was told to stop, and every session is handed over"),
      ExitCodeSpec("\(ExitCode.machine.rawValue)", "The machine does not have what it needs"),
      ExitCodeSpec("\(ExitCode.store.rawValue)", "The state root cannot be made, read or written"),
      ExitCodeSpec("\(ExitCode.temporaryFailure.rawValue)", "The state root has a server already"),
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
