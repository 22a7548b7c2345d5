// SPDX-License-Identifier: Apache-2.0

/// A use of a camera or microphone, with its session.
package struct DeviceUse: Hashable, Sendable {
  /// The ID of the session.
  package let session: SessionID
  /// The ID of the app.
  package let app: String
  /// The ID of the extension.
  package let extensionID: String
  /// Whether the session has a live host.
  package let isRunning: Bool
  /// The use, with its duration if it has ended.
  package let use: SessionRecord.Use

  /// Returns the uses in an entry of the session log.
  package static func logged(_ entry: LogEntry) -> [DeviceUse] {
    guard let session = entry.note.session else { return [] }
    return SessionRecord.Use.inExcerpt(session.excerpt).map { use in
      DeviceUse(
        session: session.id,
        app: session.app,
        extensionID: session.extensionID,
        isRunning: false,
        use: use
      )
    }
  }
}

/// A selection of device uses.
package struct DeviceUseSelection: Sendable {
  /// The ID of the app, or `nil` for all apps.
  package var app: String?
  /// The kind of device, or `nil` for all kinds.
  package var subject: PermissionSubject?
  /// The maximum number of uses.
  package var limit: Int

  /// Creates a selection.
  package init(app: String? = nil, subject: PermissionSubject? = nil, limit: Int = .max) {
    (self.app, self.subject, self.limit) = (app, subject, limit)
  }

  private func contains(_ noted: DeviceUse) -> Bool {
    (app ?? noted.app) == noted.app && (subject ?? noted.use.subject) == noted.use.subject
  }

  /// Returns the uses, newest first: those of sessions that are running or pending recovery, followed by
  /// those in the session log.
  ///
  /// - Returns: The uses, and the faults of unreadable lines of the log.
  package func uses(in root: StateRoot) throws(StoreError) -> (uses: [DeviceUse], faults: [LogFault]) {
    var found = try DeviceUses.list(in: root).filter(contains)
    var faults: [LogFault] = []
    let noted = Set(found.map(\.session))
    try SessionLog(root).forEachFromNewest(.whole) { result in
      switch result {
      case .success(let entry):
        // If the host died before it removed the session directory, the session is in both lists.
        found += DeviceUse.logged(entry).filter { contains($0) && !noted.contains($0.session) }
      case .failure(let fault): faults.append(fault)
      }
      return found.count < limit ? .more : .stop
    }
    return (Array(found.prefix(limit)), faults)
  }
}

/// The device uses of sessions that are not completely migrated: running sessions, and sessions pending
/// recovery.
package enum DeviceUses {
  /// Returns all uses, newest session first.
  package static func list(in root: StateRoot) throws(StoreError) -> [DeviceUse] {
    var sessions: [(startedAt: Int64, uses: [DeviceUse])] = []
    for places in try root.sessionPaths() {
      let uses = DeviceUseFile(places).read()
      // Without a journal, the session has just been finished.
      guard !uses.isEmpty, let journal = try Journal.read(places.journalFile) else { continue }
      let isRunning = try SessionClaim.isHeld(places.lockFile, in: root)
      let noted = uses.map { use in
        DeviceUse(
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
