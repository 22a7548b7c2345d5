// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import LaunchPlanning
internal import PolicyExplanation
internal import SandboxPolicy

/// `darkroom policy show`: prints all entries of a policy.
package enum PolicyShowCommand: Command {
  /// The argument for the policy.
  private static let policy = ArgumentSpec(
    "NAME|FILE",
    .one,
    .choiceOrFile(PolicyFinder.shippedNames),
    help: "A shipped policy, or the path of a document"
  )
  /// The flag that prints the origin of each entry.
  private static let resolved = OptionSpec.flag(
    "resolved",
    help: "Print each entry with its line, its group, and the entry that it replaces"
  )

  package static let spec = CommandSpec(
    "show",
    summary: "Print a policy with everything that it extends",
    discussion: """
      Each error in the document is printed on a line as file:line:column: key: error.

      --resolved prints a table, or JSON with --json. 'darkroom policy explain' describes a policy as text.
      """,
    options: [resolved],
    arguments: [policy],
    examples: [
      ExampleSpec(
        "darkroom policy show capture --resolved",
        "Print the line that allows each call or sets each limit"
      )
    ],
    exitCodes: [ExitCode.invalidPolicy, ExitCode.unknownPolicy]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let policy = try SessionCommands.policy(parsed.value(of: policy) ?? "").policy
    if !parsed.has(resolved) {
      console.print(policy.flattened)
    } else if parsed.has(CommonOptions.json) {
      console.print(PolicyProvenance(of: policy).json(of: policy))
    } else {
      for line in ResolvedText.lines(policy, width: 100) { console.print(TextTable.printable(line)) }
    }
    return 0
  }
}
