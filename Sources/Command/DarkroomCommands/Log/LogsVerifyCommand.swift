// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import PolicyExplanation
internal import SessionStore

/// `darkroom logs verify`: verifies that the log is unchanged.
package enum LogsVerifyCommand: Command {
  private static let head = OptionSpec.value(
    "head",
    "HEAD",
    help: "Verify that the log still contains HEAD, an earlier output of 'darkroom logs head'"
  )

  package static let spec = CommandSpec(
    "verify",
    summary: "Verify that no entry was changed, removed or moved",
    discussion: """
      Without --head, two changes are not detected: a log that was rewritten from its first entry, and removed \
      newest entries.

      The published session records are compared with the log, too.
      """,
    options: [head],
    examples: [ExampleSpec("darkroom logs verify", "Verify the complete log")],
    exitCodes: [
      ExitCode.success("The log and the published records are valid"),
      ExitCode.usage.when("The command line or HEAD is invalid"),
      ExitCode.data.when("An entry or a published record was changed, or the log does not contain HEAD"),
      ExitCode.store.when("The log cannot be read"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let kept = try parsed.value(of: head).map { text throws(CommandFailure) in
      guard let head = LogHead(text) else {
        throw CommandFailure(
          .usage,
          "'\(TextTable.printable(text))' is not a log head; use NUMBER:sha256:DIGITS as printed by 'darkroom logs head'"
        )
      }
      return head
    }
    let result = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try SessionLog(root).verify(kept: kept)
    }
    if parsed.has(CommonOptions.json) {
      console.print(LogOutput.json(result, root))
    } else {
      for line in LogOutput.lines(result, root) { console.print(line) }
    }
    return result.isValid ? 0 : ExitCode.data.rawValue
  }
}
