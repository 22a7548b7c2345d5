// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import SandboxPolicy

/// `darkroom policy show`: everything that a policy says.
package enum PolicyShowCommand: Command {
  private static let policy = ArgumentSpec(
    "NAME|FILE",
    .one,
    .choiceOrFile(PolicyFinder.shippedNames),
    help: "A policy that comes with Darkroom, or the path of a document"
  )

  package static let spec = CommandSpec(
    "show",
    summary: "Print a policy with everything that it extends, as one document",
    discussion: "A document with mistakes is refused with a line for each: file:line:column: key: mistake.",
    arguments: [policy]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    console.print(try SessionCommands.policy(parsed.word(of: policy) ?? "").policy.flattened)
    return 0
  }
}
