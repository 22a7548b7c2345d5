// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A session with a live host.
package struct LiveSession: Hashable, Sendable {
  /// The ID of the session.
  package let id: SessionID
  /// The ID of the app.
  package let app: String
  /// The ID of the extension.
  package let extensionID: String
  /// The process ID of the host.
  package let hostProcess: Int32
  /// The start of the session or of its prewarming, in milliseconds since 1970.
  package let startedAt: Int64
  /// The stage of the session.
  package let stage: Stage

  /// A stage of a session.
  package enum Stage: String, Hashable, Sendable {
    /// The session has been launched.
    case running
    /// The extension is prewarmed and waits for its launch, without a context or frames.
    case prewarmed
  }
}

/// The sessions of a state root with live hosts.
package enum LiveSessions {
  /// Returns all live sessions, oldest first.
  package static func list(in root: StateRoot) throws(StoreError) -> [LiveSession] {
    var sessions: [LiveSession] = []
    for places in try root.sessionPaths() {
      // A session whose lock is free has no host and is pending recovery.
      guard try SessionClaim.isHeld(places.lockFile, in: root) else { continue }
      // Without a journal, the session is being created or has just been finished.
      guard let journal = try Journal.read(places.journalFile) else { continue }
      sessions.append(
        LiveSession(
          id: journal.sessionID,
          app: journal.app,
          extensionID: journal.extensionID,
          hostProcess: journal.hostProcess,
          startedAt: journal.startedAt,
          stage: journal.phase == .prewarmed ? .prewarmed : .running
        )
      )
    }
    return sessions.sorted { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }
  }
}

extension StateRoot {
  /// Returns the paths of all sessions that are not completely migrated. Entries with other names are
  /// ignored.
  func sessionPaths() throws(StoreError) -> [SessionPaths] {
    try system { () throws(SystemCallError) in
      try FileSystem.names(in: sessionsDirectory).compactMap(SessionID.init).map(session)
    }
  }
}
