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
    summary: "Lock, or see and choose who says whether the person is locked out",
    discussion: "Without a further word it locks at once, as 'darkroom lock now' does.",
    subcommands: Subcommands(commands),
    subcommandRequirement: .optional,
    examples: [ExampleSpec("darkroom lock", "Lock")]
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
    summary: "Lock: what is the person's is shown to nobody until 'darkroom unlock'",
    discussion: "Running sessions hear of it at once. Locking what is locked changes nothing."
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
    summary: "Show whether the person is locked out, and why",
    discussion: """
      Locked if any of the sources says so, or does not know. The first is that of 'darkroom lock'. Exit code 0 in \
      either state; --json has it as "state".
      """
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
