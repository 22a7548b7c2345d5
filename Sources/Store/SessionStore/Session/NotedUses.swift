// SPDX-License-Identifier: Apache-2.0

/// A use of a camera or a microphone, and whose it was.
package struct NotedUse: Hashable, Sendable {
  /// The session.
  package let session: SessionID
  /// The app's id.
  package let app: String
  /// The extension's id.
  package let extensionID: String
  /// Whether the session's host is at work on it.
  package let isRunning: Bool
  /// The use: as it was noted when it began, or with its length where it has ended.
  package let use: SessionRecord.Use

  /// The uses that a line of the session log tells.
  package static func logged(_ entry: LogEntry) -> [NotedUse] {
    guard let session = entry.note.session else { return [] }
    return SessionRecord.Use.inEssence(session.essence).map { use in
      NotedUse(
        session: session.id,
        app: session.app,
        extensionID: session.extensionID,
        isRunning: false,
        use: use
      )
    }
  }
}

/// What sessions use that are not handed over yet: they run, or their host was killed and they wait for recovery.
package enum NotedUses {
  /// All of it, of the newest session first.
  package static func list(in root: StateRoot) throws(StoreError) -> [NotedUse] {
    var sessions: [(startedAt: Int64, uses: [NotedUse])] = []
    for places in try root.sessionPlaces() {
      let uses = UseNotes(places).read()
      // Without a journal it is finished meanwhile.
      guard !uses.isEmpty, let journal = try Journal.read(places.journalFile) else { continue }
      let isRunning = try SessionClaim.isHeld(places.lockFile, in: root)
      let noted = uses.map { use in
        NotedUse(
          session: journal.sessionID,
          app: journal.app,
          extensionID: journal.extensionID,
          isRunning: isRunning,
          use: use
        )
      }
      sessions.append((journal.startedAt, noted))
    }
    return sessions.sorted { $0.startedAt > $1.startedAt }.flatMap(\.uses)
  }
}
