// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import HostService
internal import LinuxPrimitives
internal import SessionStore

/// `darkroom serve`: a host that stays, for the other commands.
package enum ServeCommand: Command {
  private static let unit = OptionSpec.flag(
    "unit",
    help: "Print a unit with which systemd runs the server for this user, and do nothing else"
  )

  package static let spec = CommandSpec(
    "serve",
    summary: "Stay, and run what other commands launch, so that they find prepared what they need",
    discussion: """
      While it runs, 'darkroom run', 'exec', 'control press' and 'control listen' of the same user, with the same state \
      root, give it their work; what they print, their exit codes and what signals to them do stay the same. Each finds \
      there its own environment, current directory, file mode mask and terminal, and whoever may do less or other than the \
      server is left to themselves. SIGTERM dismisses all sessions, and ends the server when the last is handed over. \
      With --json, each line of the output is an event.
      """,
    options: [unit],
    examples: [
      ExampleSpec("darkroom serve", "Serve this user's state root until SIGTERM"),
      ExampleSpec(
        "darkroom serve --unit > ~/.config/systemd/user/darkroom.service",
        "Let systemd run it"
      ),
    ],
    exitCodes: [
      ExitCodeSpec("0", "It was told to stop, and every session is handed over"),
      ExitCodeSpec("\(ExitCode.machine.rawValue)", "The machine does not have what it needs"),
      ExitCodeSpec("\(ExitCode.store.rawValue)", "The state root cannot be made, read or written"),
      ExitCodeSpec("\(ExitCode.interrupted.rawValue)", "The state root has a server already"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    if parsed.has(unit) {
      do { console.printText(ServiceUnit.text(program: try CurrentProcess.executablePath())) } catch {
        throw CommandFailure(.machine, "\(error)")
      }
      return 0
    }
    // Before anything that could make a thread: the mask is inherited.
    let signals = try SessionCommands.hostSignals(console)
    let root = try CommonOptions.stateRoot(parsed, console)
    let seat: ServiceSeat
    do { seat = try ServiceSeat.take(ServicePlace(root: root.path)) } catch {
      switch error {
      case .held: throw CommandFailure(.interrupted, "\(error)")
      case .notPrivate, .system: throw CommandFailure(.store, "\(error)")
      }
    }
    // Each session takes a dozen; what is launched gets the limit from before.
    FileLimit.raise()
    let resources = HostResources(stateRoot: root)
    let output = ServiceOutput(console, asJSON: parsed.has(CommonOptions.json))
    let terms = ServiceTerms(
      version: DarkroomCommandLine.version,
      perform: { ServedCommands.perform($0, resources) },
      name: { call throws(ServiceRefusal) in try ServedCommands.name(call) },
      tell: { output.tell($0) }
    )
    do {
      let manager = ServiceManager(environment: console.environment)
      try HostServer(seat, terms, manager: manager).serve(until: signals.descriptor)
    } catch { throw CommandFailure(.machine, "the server cannot go on: \(error)") }
    return 0
  }
}
