// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import PolicyExplanation
internal import SessionStore

/// `darkroom quarantine show`: lists the quarantined files of a session, with reasons.
package enum QuarantineShowCommand: Command {
  package static let spec = CommandSpec(
    "show",
    summary: "Show what of a session was kept from its app, and why",
    discussion: "Nothing of it is opened: only the list is read that was written when it was moved aside.",
    arguments: [CommonOptions.appArgument, QuarantineSelection.session]
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
