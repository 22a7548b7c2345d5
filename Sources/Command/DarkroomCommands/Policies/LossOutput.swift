// SPDX-License-Identifier: Apache-2.0

internal import CommandGrammar
internal import JSONText
internal import PolicyExplanation
internal import PolicyInterchange

/// The options and output that `policy import` and `policy export` share: the losses of a conversion.
enum LossOutput {
  /// The flag that rejects a conversion that changes the allowed calls.
  static let exact = OptionSpec.flag(
    "exact",
    help:
      "Exit with \(ExitCode.unavailable.rawValue), without a result, if the result allows more or fewer calls"
  )

  /// The exit codes of both commands.
  static let exitCodes = [
    ExitCode.success("The result was printed; differences are on standard error"),
    ExitCode.data.when("The file or the policy is invalid, or cannot be converted"), ExitCode.unknownPolicy,
    ExitCode.unavailable.when("With --exact: the result allows more or fewer calls"),
  ]

  /// Prints the losses on standard error.
  static func printLosses(_ losses: [InterchangeLoss], _ console: Console) {
    for loss in losses { console.note("darkroom: \(TextTable.printable("\(loss)"))") }
  }

  /// Throws if `--exact` is given and the conversion changes the allowed calls. Losses that are not about
  /// calls are ignored.
  static func check(_ losses: [InterchangeLoss], _ parsed: ParsedCommand, _ console: Console)
    throws(CommandFailure)
  {
    guard parsed.has(exact) else { return }
    let count = losses.filter(\.changesCalls).count
    guard count > 0 else { return }
    printLosses(losses.filter(\.changesCalls), console)
    throw CommandFailure(
      .unavailable,
      "not exact: \(count) difference\(count == 1 ? "" : "s"); omit --exact to accept the result"
    )
  }

  /// Returns the losses as JSON.
  static func json(_ losses: [InterchangeLoss]) -> JSONValue { .array(losses.map(\.json)) }
}
