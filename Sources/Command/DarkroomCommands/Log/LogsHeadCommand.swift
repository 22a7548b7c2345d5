// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import SessionStore

/// `darkroom logs head`: prints the head of the log, to be kept elsewhere.
package enum LogsHeadCommand: Command {
  package static let spec = CommandSpec(
    "head",
    summary: "Print the sequence number and digest of the newest entry",
    discussion: """
      Keep the head outside of the state root. 'darkroom logs verify --head HEAD' then detects changes to all \
      entries up to the head.
      """,
    exitCodes: [
      ExitCode.success("The newest entry is valid"), ExitCode.missing.when("The log is empty"),
      ExitCode.store.when("The log cannot be read, or its newest entry is invalid"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let head = try CommandFailure.mappingStoreErrors { () throws(StoreError) in try SessionLog(root).head() }
    guard let head else {
      throw CommandFailure(.missing, "the session log of \(root.path) has no entry")
    }
    if parsed.has(CommonOptions.json) {
      console.print(LogOutput.json(head))
    } else {
      console.print("\(head)")
    }
    return 0
  }
}
