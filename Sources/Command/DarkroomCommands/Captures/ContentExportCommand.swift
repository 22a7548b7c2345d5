// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import SessionStore

/// `darkroom content export`: copies content out of the state root.
package enum ContentExportCommand: Command {
  private static let target = OptionSpec.value(
    "to",
    "DIR",
    .directory,
    .required,
    help: "Copy the content of each session to a directory in DIR with the name of the session"
  )

  package static let spec = CommandSpec(
    "export",
    summary: "Copy the content of sessions to a directory",
    discussion: """
      The content also stays in place. Files in DIR are never replaced, and a copy that fails leaves no files in \
      DIR.
      """,
    options: [target, SessionSelection.all],
    arguments: [CommonOptions.appArgument, SessionSelection.sessions],
    examples: [
      ExampleSpec(
        "darkroom content export org.example.camera --all --to ~/Pictures",
        "Copy all pending content of an app"
      )
    ],
    exitCodes: [
      ExitCode.missing.when("The app does not exist, or has no content of a session"),
      ExitCode.store.when("The content cannot be read or copied, or DIR already contains the session"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let app = try CommonOptions.knownApp(parsed, root)
    let directory = parsed.value(of: target) ?? ""
    var report = ChangeReport(parsed, console, app: app, key: "exported")
    for session in try SessionSelection.sessions(parsed, of: app) {
      report.attempt(session.id) { () throws(StoreError) in
        let path = try DeliveredContent(app).export(session.id, to: directory)
        return ([.init("path", .string(path))], path)
      }
    }
    return report.conclude(noteIfEmpty: "no content is pending for \(app.id)")
  }
}
