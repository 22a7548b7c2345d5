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
    help: "A policy that comes with Darkroom, or the path of a document"
  )
  /// The flag that prints the origin of each entry.
  private static let resolved = OptionSpec.flag(
    "resolved",
    help:
      "Print each entry with the line that it comes from, the group that brought it, and what it takes the place of"
  )

  package static let spec = CommandSpec(
    "show",
    summary: "Print a policy with everything that it extends, as one document",
    discussion: """
      A document with mistakes is refused with a line for each: file:line:column: key: mistake.

      With --resolved the result is for people, and with --json for programs. What a policy comes to in plain words \
      is told by 'darkroom policy explain'.
      """,
    options: [resolved],
    arguments: [policy],
    examples: [
      ExampleSpec(
        "darkroom policy show capture --resolved",
        "See which line allows each call, and which decides each limit"
      )
    ]
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
