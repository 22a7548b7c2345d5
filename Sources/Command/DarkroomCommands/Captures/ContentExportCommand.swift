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
    help: "Where the copies go, each as a directory with the name of its session"
  )

  package static let spec = CommandSpec(
    "export",
    summary: "Copy the content of sessions to another directory",
    discussion: """
      The content stays where it is. What is in DIR is never replaced, and a copy that cannot be finished leaves \
      nothing there.
      """,
    options: [target, SessionSelection.all],
    arguments: [CommonOptions.appArgument, SessionSelection.sessions],
    examples: [
      ExampleSpec(
        "darkroom content export org.example.camera --all --to ~/Pictures",
        "Copy everything that waits for an app"
      )
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
