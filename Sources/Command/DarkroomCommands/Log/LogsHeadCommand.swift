// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import SessionStore

/// `darkroom logs head`: prints the head of the log, to be kept elsewhere.
package enum LogsHeadCommand: Command {
  package static let spec = CommandSpec(
    "head",
    summary: "Print the number and digest of the newest entry, to be kept where the log is not",
    discussion:
      "'darkroom logs verify --head HEAD' then finds out whether any entry up to it was changed since.",
    exitCodes: [
      ExitCodeSpec("0", "There is an entry, and it is as it was written"),
      ExitCodeSpec("\(ExitCode.missing.rawValue)", "The log has no entry"),
      ExitCodeSpec("\(ExitCode.store.rawValue)", "The log cannot be read, or its newest entry was changed"),
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
