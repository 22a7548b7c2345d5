// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import SessionStore

/// `darkroom logs list`: lists the sessions that have ended.
package enum LogsListCommand: Command {
  private static let app = OptionSpec.value("app", "APP", help: "List only sessions of APP")
  private static let outcome = OptionSpec.value(
    "outcome",
    "OUTCOME",
    .choice(LogOutput.outcomes),
    .repeated,
    help: "List only sessions with this outcome"
  )
  private static let since = OptionSpec.value(
    "since",
    "TIME",
    help: "List only entries since TIME: 2026-01-31, 2026-01-31T08:15:00Z, or 12h (the last 12 hours)"
  )

  package static let spec = CommandSpec(
    "list",
    summary: "List the ended sessions, newest first",
    discussion: """
      The list is not verified: use 'darkroom logs verify'. An unreadable line of the log is reported on standard \
      error.
      """,
    options: [app, outcome, since, CommonOptions.limit],
    examples: [
      ExampleSpec("darkroom logs list --limit 20", "List the newest 20 sessions"),
      ExampleSpec(
        "darkroom logs list --outcome violated --since 168h",
        "List the policy violations of one week"
      ),
    ],
    exitCodes: [ExitCode.usage.when("The command line or TIME is invalid"), ExitCode.unreadableStore]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let selection = Selection(
      app: parsed.value(of: app),
      outcomes: Set(parsed.values(of: outcome)),
      since: try parsed.value(of: since).map(LogTime.parse),
      limit: parsed.integer(of: CommonOptions.limit) ?? .max
    )
    let found = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try selection.entries(SessionLog(root))
    }
    for fault in found.faults.prefix(10) { console.note("darkroom: session log: \(fault)") }
    if parsed.has(CommonOptions.json) {
      console.print(["entries": .array(found.entries.map(\.json))])
    } else if found.entries.isEmpty {
      console.note("no entry of the session log matches")
    } else {
      console.print(LogOutput.table(found.entries))
    }
    return 0
  }

  /// The selected entries.
  private struct Selection {
    /// The app of the sessions, or `nil` for all apps.
    var app: String?
    /// The outcomes of the sessions, or an empty set for all outcomes.
    var outcomes: Set<String>
    /// The earliest time of the log entries, in milliseconds since 1970.
    var since: Int64?
    /// The maximum number of entries.
    var limit: Int

    private func contains(_ entry: LogEntry) -> Bool {
      if let since, entry.note.time < since { return false }
      if app == nil && outcomes.isEmpty { return true }
      guard let session = entry.note.session else { return false }
      return (app.map { $0 == session.app } ?? true)
        && (outcomes.isEmpty || outcomes.contains(session.outcome))
    }

    /// Returns the entries, newest first, and the faults of unreadable lines.
    func entries(_ log: SessionLog) throws(StoreError) -> (entries: [LogEntry], faults: [LogFault]) {
      var entries: [LogEntry] = []
      var faults: [LogFault] = []
      // The clock can be set back, so an older entry does not end the search.
      try log.forEachFromNewest { result in
        switch result {
        case .success(let entry): if contains(entry) { entries.append(entry) }
        case .failure(let fault): faults.append(fault)
        }
        return entries.count < limit ? .more : .stop
      }
      return (entries, faults)
    }
  }
}
