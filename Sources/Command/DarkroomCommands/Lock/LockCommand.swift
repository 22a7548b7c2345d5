// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
internal import LockMonitoring
internal import PolicyExplanation
internal import SessionStore

/// `darkroom lock`: locks, and shows and configures the sources of the lock state.
package enum LockCommand: CommandGroup {
  package static let commands: CommandList = [
    "now": LockNowCommand.self,
    "screen": LockScreenCommand.self,
    "status": LockStatusCommand.self,
    "configure": LockConfigureCommand.self,
  ]

  package static let spec = CommandSpec(
    "lock",
    summary: "Lock Darkroom, or configure the lock",
    discussion: """
      Without a command, 'darkroom lock' locks at once, like 'darkroom lock now'.
      """,
    subcommands: Subcommands(commands),
    subcommandRequirement: .optional,
    examples: [ExampleSpec("darkroom lock", "Lock")],
    exitCodes: [ExitCode.success("Darkroom is locked"), ExitCode.unusableStore]
  )

  /// Runs the subcommand, or locks if there is none, because locking must be quick to type.
  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    guard let name = parsed.names.dropFirst().first else { return try LockNowCommand.run(parsed, console) }
    guard let command = commands.command(name) else {
      throw CommandFailure(.usage, "'lock' has no command '\(name)'; see 'darkroom lock --help'")
    }
    return try command.run(parsed, console)
  }
}

/// `darkroom lock now`: locks.
package enum LockNowCommand: Command {
  package static let spec = CommandSpec(
    "now",
    summary: "Lock until 'darkroom unlock'",
    discussion: """
      While Darkroom is locked, no data of the user is shown. Running sessions are notified at once.
      """,
    exitCodes: [ExitCode.success("Darkroom is locked, or was locked before"), ExitCode.unusableStore]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.stateRoot(parsed, console)
    do { try LockControl(root: root.path).lock() } catch {
      throw CommandFailure(.store, "locking failed: \(error); check the permissions of \(root.path)/lock")
    }
    if parsed.has(CommonOptions.json) { console.print(["state": "locked"]) } else { console.print("locked") }
    return 0
  }
}

/// `darkroom lock status`: prints whether the screen is locked, and which sources report it.
package enum LockStatusCommand: Command {
  package static let spec = CommandSpec(
    "status",
    summary: "Show whether Darkroom is locked, and the reason",
    discussion: """
      Darkroom is locked if any source reports the locked state or an unknown state. The first source is 'darkroom \
      lock'. With --json, the key "state" contains the state.
      """,
    exitCodes: [ExitCode.success("The state was printed, locked or unlocked"), ExitCode.unreadableStore]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let monitor = LockMonitor(root: root.path)
    monitor.waitForFirstReports()
    if parsed.has(CommonOptions.json) {
      console.print(LockOutput.json(monitor))
      return 0
    }
    console.print(monitor.state.rawValue)
    for report in monitor.reports {
      console.print("  \(report.state.rawValue): \(TextTable.printable("\(report.reason)"))")
    }
    if monitor.firstUnlock == .pending {
      console.print("  no unlock since this machine was started")
    }
    return 0
  }
}

/// The lock state as JSON.
enum LockOutput {
  /// Returns everything that the monitor knows, as JSON.
  static func json(_ monitor: LockMonitor) -> JSONValue {
    let sources = monitor.reports.map { report -> JSONValue in
      ["state": .string(report.state.rawValue), "reason": .string("\(report.reason)")]
    }
    return [
      "state": .string(monitor.state.rawValue),
      "firstUnlock": .string(monitor.firstUnlock.rawValue),
      "sources": .array(sources),
    ]
  }
}
