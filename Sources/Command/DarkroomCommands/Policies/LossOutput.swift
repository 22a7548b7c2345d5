// SPDX-License-Identifier: Apache-2.0

internal import CommandGrammar
internal import JSONText
internal import PolicyInterchange
internal import PolicyWords

/// What `policy import` and `policy export` have in common: telling what one of the two sides cannot say.
enum LossOutput {
  /// Takes nothing but what means the same on both sides.
  static let exact = OptionSpec.flag(
    "exact",
    help: "Print nothing and end with \(ExitCode.partial.rawValue) if the result allows more or less"
  )

  /// The exit codes of both.
  static let exitCodes = [
    ExitCodeSpec("0", "Done; what is lost stands on standard error"),
    ExitCodeSpec("\(ExitCode.partial.rawValue)", "With --exact: the result would allow more or less"),
    ExitCodeSpec("\(ExitCode.data.rawValue)", "There are mistakes in the file or the policy"),
    ExitCodeSpec("\(ExitCode.missing.rawValue)", "There is no such policy or file"),
  ]

  /// Says on standard error what is lost.
  static func tell(_ losses: [InterchangeLoss], _ console: Console) {
    for loss in losses { console.note("darkroom: \(TextTable.printable("\(loss)"))") }
  }

  /// Ends with a failure where the two sides have to say the same and do not: what is no call is not counted.
  static func check(_ losses: [InterchangeLoss], _ parsed: ParsedCommand, _ console: Console)
    throws(CommandFailure)
  {
    guard parsed.has(exact) else { return }
    let count = losses.filter(\.changesCalls).count
    guard count > 0 else { return }
    tell(losses.filter(\.changesCalls), console)
    throw CommandFailure(
      .partial,
      "not exact: \(count) things differ; leave --exact out to take what there is"
    )
  }

  /// What is lost, for programs.
  static func json(_ losses: [InterchangeLoss]) -> JSONValue { .array(losses.map(\.json)) }
}

extension InterchangeLoss {
  /// Whether other calls are allowed.
  fileprivate var changesCalls: Bool {
    if case .outsideFilter = matter { return false }
    return consequence == .stricter || consequence == .weaker
  }
}
