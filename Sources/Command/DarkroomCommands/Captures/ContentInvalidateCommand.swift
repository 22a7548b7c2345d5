// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import SessionServices
internal import SessionStore

/// `darkroom content invalidate`: removes content that an app no longer needs.
package enum ContentInvalidateCommand: Command {
  package static let spec = CommandSpec(
    "invalidate",
    summary: "Delete the content of sessions",
    discussion: """
      The app no longer has the content when the command exits. Large content is deleted in the background (see \
      'darkroom prune'). The session records are kept, and contain what was removed and when.
      """,
    options: [SessionSelection.all],
    arguments: [CommonOptions.appArgument, SessionSelection.sessions],
    exitCodes: [
      ExitCode.missing.when("The app does not exist, or has no content of a session"), ExitCode.unusableStore,
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let app = try CommonOptions.knownApp(parsed, root)
    var report = ChangeReport(parsed, console, app: app, key: "invalidated")
    for session in try SessionSelection.sessions(parsed, of: app) {
      report.attempt(session.id) { () throws(StoreError) in
        try DeliveredContent(app).invalidate(session.id, .partial)
        let members: [JSONValue.Member] = [
          .init("files", .integer(session.files)), .init("bytes", .integer(session.bytes)),
        ]
        return (members, "removed \(session.id): \(ContentOutput.sizeText(session))")
      }
    }
    BackgroundPrune.start(root)
    return report.conclude(noteIfEmpty: "no content is pending for \(app.id)")
  }
}
