// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import PolicyExplanation
internal import SessionStore

/// `darkroom quarantine show`: lists the quarantined files of a session, with reasons.
package enum QuarantineShowCommand: Command {
  package static let spec = CommandSpec(
    "show",
    summary: "Show the quarantined items of a session and the reasons",
    discussion: """
      The items are not opened: the command reads the list that was written with the quarantine.
      """,
    arguments: [CommonOptions.appArgument, QuarantineSelection.session],
    exitCodes: [
      ExitCode.usage.when("The command line is invalid, or SESSION is not an ID"),
      ExitCode.missing.when("The app does not exist, or has no quarantined items of the session"),
      ExitCode.unreadableStore,
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let app = try CommonOptions.knownApp(parsed, root)
    for session in try QuarantineSelection.named(parsed.values(of: QuarantineSelection.session), of: app) {
      if parsed.has(CommonOptions.json) {
        console.print(QuarantineSelection.json(session))
        continue
      }
      for item in session.items {
        console.print("\(TextTable.printable(item.path)): \(item.reason.explanation)")
      }
      console.print("in \(session.path): \(QuarantineSelection.sizeText(session))")
    }
    return 0
  }
}
