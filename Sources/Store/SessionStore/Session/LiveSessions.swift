// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A session whose host is at work on it.
package struct LiveSession: Hashable, Sendable {
  /// The session.
  package let id: SessionID
  /// The app's id.
  package let app: String
  /// The extension's id.
  package let extensionID: String
  /// The number of the host's process.
  package let hostProcess: Int32
  /// When the session began, or its waiting, in milliseconds since 1970.
  package let startedAt: Int64
  /// Whether it was launched.
  package let stage: Stage

  /// Whether a session was launched.
  package enum Stage: String, Hashable, Sendable {
    /// It was.
    case running
    /// Its extension was started ahead and waits for its launch, with no context, no frames and nothing to capture.
    case waiting
  }
}

/// The sessions of a state root that hosts are at work on.
package enum LiveSessions {
  /// All of them, oldest first.
  package static func list(in root: StateRoot) throws(StoreError) -> [LiveSession] {
    var sessions: [LiveSession] = []
    for places in try root.sessionPlaces() {
      // A lock that can be had belongs to nobody: that session waits for recovery.
      guard try SessionClaim.isHeld(places.lockFile, in: root) else { continue }
      // Without a journal it is only just being made, or finished meanwhile.
      guard let journal = try Journal.read(places.journalFile) else { continue }
      sessions.append(
        LiveSession(
          id: journal.sessionID,
          app: journal.app,
          extensionID: journal.extensionID,
          hostProcess: journal.hostProcess,
          startedAt: journal.startedAt,
          stage: journal.phase == .waiting ? .waiting : .running
        )
      )
    }
    return sessions.sorted { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }
  }
}

extension StateRoot {
  /// The places of all sessions that are not handed over yet; what has another name than a session is left out.
  func sessionPlaces() throws(StoreError) -> [SessionPlaces] {
    try system { () throws(SystemCallError) in
      try FileSystem.names(in: sessionsDirectory).compactMap(SessionID.init).map(session)
    }
  }
}
