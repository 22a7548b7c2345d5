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
    help: "End after N sessions have come or gone"
  )
  private static let timeout = OptionSpec.value(
    "timeout",
    "DURATION",
    .duration,
    help: "End after this time; with --count, a failure if fewer have come or gone until then"
  )
  private static let consumer = OptionSpec.value(
    "consumer",
    "NAME",
    help: "Go on where the consumer of this name was: what came and went while it was away is told, each once"
  )

  package static let spec = CommandSpec(
    "watch",
    summary: "Tell what content of an app is there, and what comes and goes",
    discussion: """
      First comes a line for each session whose content is there, then one for each that comes or goes, at once. With \
      --json each line is an object: first one of the type "initial" with all sessions, then "added" and "removed".

      With --consumer the first lines have what this consumer was told of before and is still there; then comes each \
      session that it does not know, and each that is gone. What was written counts as told: if the watch is killed \
      between the two, the line comes again, so take the session's id for what was done already. One process at a \
      time can be a consumer.

      The watch ends in order by an interrupt (Ctrl-C), by SIGTERM, and when nobody reads its output any more.
      """,
    options: [count, timeout, consumer],
    arguments: [CommonOptions.appArgument],
    examples: [
      ExampleSpec(
        "darkroom content watch org.example.camera --count 1 --timeout 1m",
        "Wait for the next capture"
      )
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
