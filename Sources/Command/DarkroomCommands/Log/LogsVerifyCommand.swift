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
    help: "Also see that this head, which 'darkroom logs head' has printed, is still in the log"
  )

  package static let spec = CommandSpec(
    "verify",
    summary: "See that no entry of the log was changed, removed, added or moved",
    discussion: """
      Without --head, a log that was written anew from its beginning, or whose newest entries were removed, cannot be \
      told from a right one. Published records are compared with what the log says of them as well.
      """,
    options: [head],
    examples: [ExampleSpec("darkroom logs verify", "Look through the whole log")],
    exitCodes: [
      ExitCodeSpec("0", "Everything is as it was written"),
      ExitCodeSpec("\(ExitCode.data.rawValue)", "Something is not; the first wrong entry is named"),
      ExitCodeSpec("\(ExitCode.store.rawValue)", "The log cannot be read"),
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
