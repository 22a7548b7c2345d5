// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import LinuxPrimitives
internal import SessionStore

/// `darkroom content watch`: prints each change of an app's content.
package enum ContentWatchCommand: Command {
  private static let count = OptionSpec.value(
    "count",
    "N",
    .integer(1...Int.max),
    help: "Exit after N sessions were added or removed"
  )
  private static let timeout = OptionSpec.value(
    "timeout",
    "DURATION",
    .duration,
    help: "Exit after DURATION; with --count, fail if fewer sessions were added or removed"
  )
  private static let consumer = OptionSpec.value(
    "consumer",
    "NAME",
    help: "Continue as the consumer NAME: report each change once, across restarts"
  )

  package static let spec = CommandSpec(
    "watch",
    summary: "Print the pending content of an app, and each change",
    discussion: """
      The command first prints a line for each session with pending content, and then a line for each session that \
      is added or removed. With --json, each line is an object: first one of the type "initial" with all sessions, \
      then "added" and "removed".

      With --consumer, the first lines are the sessions that this consumer has already received and that still \
      exist, followed by each added and each removed session. A printed line counts as received. If the watch is \
      killed before it has saved this state, the line is printed again: skip session IDs that you have processed. \
      Only one process at a time can run as a consumer.

      The watch exits at SIGINT, SIGTERM and SIGHUP, and when its output is closed.
      """,
    options: [count, timeout, consumer],
    arguments: [CommonOptions.appArgument],
    examples: [
      ExampleSpec(
        "darkroom content watch org.example.camera --count 1 --timeout 1m",
        "Wait for the next capture"
      )
    ],
    exitCodes: [
      ExitCode.usage.when("The command line or the name of the consumer is invalid"),
      ExitCode.missing.when("The app does not exist, or the directory of its content was removed"),
      ExitCode.machine.when("Changes cannot be watched"),
      ExitCode.store.when(
        "Another process runs as this consumer, or the state root cannot be read or written"
      ), ExitCode.timedOut.when("With --count: fewer sessions were added or removed before the timeout"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let deadline = parsed.duration(of: timeout).map(Self.deadline)
    let signals: Descriptor
    // The signals are blocked before the first line is printed, so that a signal after that line ends the
    // watch cleanly.
    do { signals = try SignalDescriptor.make([.interrupt, .terminate, .hangup]) } catch {
      throw CommandFailure(.machine, "\(error)")
    }
    let root = try CommonOptions.stateRoot(parsed, console)
    let app = try CommonOptions.knownApp(parsed, root)
    var follower = try ContentFollower(
      app,
      consumer: parsed.value(of: consumer),
      output: WatchOutput(app: app, isJSON: parsed.has(CommonOptions.json), console: console),
      signals: signals
    )
    let wanted = parsed.integer(of: count)
    let ending = try follower.follow(changes: wanted, until: deadline)
    guard ending == .timedOut, let wanted else { return 0 }
    throw CommandFailure(
      .timedOut,
      "only \(follower.changes) of \(wanted) changes occurred before the timeout"
    )
  }

  /// Returns the timestamp at the end of a duration that starts now, or the maximum if the sum overflows the
  /// clock.
  private static func deadline(_ duration: Duration) -> UInt64 {
    let (seconds, attoseconds) = duration.components
    let (whole, overflow) = UInt64(max(0, seconds)).multipliedReportingOverflow(by: 1_000_000_000)
    let length = whole.addingReportingOverflow(UInt64(max(0, attoseconds)) / 1_000_000_000)
    let moment = MonotonicClock.now.addingReportingOverflow(length.partialValue)
    return overflow || length.overflow || moment.overflow ? .max : moment.partialValue
  }
}
