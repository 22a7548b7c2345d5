// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
internal import PolicyExplanation
internal import SessionStore

/// `darkroom app activities`: prints and removes the pending deliveries of an app.
package enum AppActivitiesCommand: Command {
  private static let wait = OptionSpec.value(
    "wait",
    "DURATION",
    .duration,
    help: "Wait at most DURATION for the first delivery"
  )

  package static let spec = CommandSpec(
    "activities",
    summary: "Print and remove the pending deliveries of an app",
    discussion: """
      A delivery contains the reason why the app was opened. Each delivery is printed on one line, with --json as \
      an object, and then removed. If the command is killed in between, the delivery is printed again with the \
      same ID: skip IDs that you have processed.

      Without --wait, the command prints the pending deliveries, if any, and exits.
      """,
    options: [wait],
    arguments: [CommonOptions.appArgument],
    examples: [
      ExampleSpec("darkroom app activities org.example.camera --wait 10s --json", "Wait for the next opening")
    ],
    exitCodes: [
      ExitCode.success("The pending deliveries, if any, were printed"), ExitCode.unknownApp,
      ExitCode.machine.when("Signals cannot be received"), ExitCode.unusableStore,
      ExitCode.timedOut.when("With --wait: no delivery arrived"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let signals: Descriptor
    do { signals = try SignalDescriptor.make([.interrupt, .terminate, .hangup]) } catch {
      throw CommandFailure(.machine, "\(error)")
    }
    let root = try CommonOptions.stateRoot(parsed, console)
    let app = try CommonOptions.knownApp(parsed, root)
    var deadline = MonotonicClock.now
    if let time = parsed.duration(of: wait) { deadline += UInt64(max(0, min(time.seconds, 1e9)) * 1e9) }
    let watch = try CommandFailure.mappingStoreErrors { () throws(StoreError) in try MailboxWatch(app) }
    var count = 0
    while try take(watch, until: count == 0 ? deadline : 0, signals.rawValue, parsed, console) { count += 1 }
    if count == 0, !parsed.has(CommonOptions.json) { console.note("no deliveries are pending for \(app.id)") }
    guard count == 0, parsed.has(wait) else { return 0 }
    throw CommandFailure(.timedOut, "\(app.id): no delivery arrived within the time of --wait")
  }

  /// Takes and prints one delivery, and returns whether there was one.
  private static func take(
    _ watch: borrowing MailboxWatch,
    until deadline: UInt64,
    _ signals: Int32,
    _ parsed: ParsedCommand,
    _ console: Console
  ) throws(CommandFailure) -> Bool {
    do throws(StoreError) {
      guard let taken = try watch.claimNext(until: deadline, signals: signals) else { return false }
      show(taken.delivery, parsed, console)
      // The delivery is finished only after it is printed, so that a crash in between does not lose it.
      try taken.finish()
      return true
    } catch { throw CommandFailure(error) }
  }

  private static func show(_ delivery: AppDelivery, _ parsed: ParsedCommand, _ console: Console) {
    if parsed.has(CommonOptions.json) {
      console.printLine(delivery.json)
      return
    }
    let parts = [
      delivery.id, delivery.reason.rawValue, delivery.activity?.activityType,
      delivery.control.map { "control \($0)" },
      delivery.session.map { "session \($0)" },
    ]
    console.print(TextTable.printable(parts.compactMap(\.self).joined(separator: "  ")))
  }
}
