// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import SessionStore

/// `darkroom permission uses`: which cameras and microphones were used, by whom, when and for how long.
package enum PermissionUsesCommand: Command {
  private static let app = ArgumentSpec("APP", .optional, help: "Only what this app's extensions have used")
  private static let resource = OptionSpec.value(
    "resource",
    "RESOURCE",
    .choice(PermissionSubject.allCases.filter(\.hasDevices).map(\.rawValue)),
    help: "Only uses of this"
  )
  private static let limit = OptionSpec.value(
    "limit",
    "N",
    .integer(1...1_000_000_000),
    help: "Only the newest N of them"
  )

  package static let spec = CommandSpec(
    "uses",
    summary: "List which cameras and microphones were used, newest first",
    discussion: """
      A use begins when frames or sound begin to flow, and is noted before that, also for a session that still runs. What \
      has ended is in the session log, from which no app can take it; 'darkroom log verify' says whether it is right.
      """,
    options: [resource, limit],
    arguments: [app],
    examples: [
      ExampleSpec("darkroom permission uses org.example.camera", "When the app's extensions have used what"),
      ExampleSpec("darkroom permission uses --resource microphone --limit 10", "Who listened last"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let selection = Selection(
      app: try parsed.word(of: app).map { id throws(CommandFailure) in try CommonOptions.app(id, root).id },
      subject: parsed.value(of: resource).flatMap(PermissionSubject.init),
      limit: parsed.integer(of: limit) ?? .max
    )
    let uses = try CommandFailure.store { () throws(StoreError) in try selection.uses(root, console) }
    if parsed.has(CommonOptions.json) {
      console.print(["uses": .array(uses.map(\.json))])
    } else if uses.isEmpty {
      console.note("no use of a camera or a microphone is known")
    } else {
      console.print(table(uses))
    }
    return 0
  }

  private static func table(_ uses: [KnownUse]) -> TextTable {
    var table = TextTable([
      .init("SINCE (UTC)"), .init("FOR", .right), .init("RESOURCE"), .init("DEVICE"), .init("EXTENSION"),
      .init("SESSION"),
    ])
    for use in uses {
      let time = use.use.milliseconds.map { "\($0 / 1000).\($0 / 100 % 10) s" }
      table.add([
        MomentText.short(use.use.firstAt), time ?? (use.isRunning ? "now" : "unknown"),
        use.use.subject.rawValue, use.use.device, use.extensionID, use.session.description,
      ])
    }
    return table
  }

  /// A use and whose it was.
  private struct KnownUse {
    /// The use.
    var use: SessionRecord.Use
    /// The app's id.
    var app: String
    /// The extension's id.
    var extensionID: String
    /// The session.
    var session: SessionID
    /// Whether the session runs.
    var isRunning: Bool

    /// The use as programs get it.
    var json: JSONValue {
      let own: [JSONValue.Member] = [
        .init("app", .string(app)), .init("extension", .string(extensionID)),
        .init("session", .string(session.description)), .init("running", .bool(isRunning)),
      ]
      return .object(own + (use.json.members ?? []))
    }
  }

  /// What was asked for.
  private struct Selection {
    /// Only this app's.
    var app: String?
    /// Only of this.
    var subject: PermissionSubject?
    /// At most so many.
    var limit: Int

    private func contains(_ use: KnownUse) -> Bool {
      (app ?? use.app) == use.app && (subject ?? use.use.subject) == use.use.subject
    }

    /// The uses, newest first: of sessions that run, and then of those in the log.
    func uses(_ root: StateRoot, _ console: Console) throws(StoreError) -> [KnownUse] {
      var found: [KnownUse] = []
      for session in try LiveSessions.list(in: root).reversed() {
        found += UseNotes(root.session(session.id)).read().map {
          KnownUse(
            use: $0,
            app: session.app,
            extensionID: session.extensionID,
            session: session.id,
            isRunning: true
          )
        }
        .filter(contains)
      }
      let running = Set(found.map(\.session))
      try SessionLog(root).eachFromNewest(.whole) { result in
        switch result {
        case .success(let entry):
          found += logged(entry).filter { contains($0) && !running.contains($0.session) }
        case .failure(let fault): console.note("darkroom: a line of the log: \(fault)")
        }
        return found.count < limit ? .more : .stop
      }
      return Array(found.prefix(limit))
    }

    private func logged(_ entry: LogEntry) -> [KnownUse] {
      guard let session = entry.note.session else { return [] }
      return SessionRecord.Use.inEssence(session.essence).map {
        KnownUse(
          use: $0,
          app: session.app,
          extensionID: session.extensionID,
          session: session.id,
          isRunning: false
        )
      }
    }
  }
}
