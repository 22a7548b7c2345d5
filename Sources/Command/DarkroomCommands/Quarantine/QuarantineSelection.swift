// SPDX-License-Identifier: Apache-2.0

internal import CommandGrammar
internal import JSONText
internal import PolicyExplanation
internal import SessionStore

/// The selection of sessions with quarantined files, and the output of a selection.
enum QuarantineSelection {
  /// The argument for one session.
  static let session = ArgumentSpec(
    "SESSION",
    help: "The ID of a session from 'darkroom quarantine list'"
  )
  /// The argument for several sessions.
  static let sessions = ArgumentSpec(
    "SESSION",
    .many(atLeast: 0),
    help: "The session IDs from 'darkroom quarantine list'"
  )

  /// Returns the quarantined sessions with the given IDs.
  static func named(_ words: [String], of app: AppStore) throws(CommandFailure) -> [QuarantinedSession] {
    var chosen: [QuarantinedSession] = []
    for word in words {
      guard let id = SessionID(word) else {
        throw CommandFailure(
          .usage,
          "'\(TextTable.printable(word))' is not a session ID; 'darkroom quarantine list \(app.id)' lists the session IDs"
        )
      }
      let found = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
        try Quarantine(app).find(id)
      }
      guard let found else { throw CommandFailure(.noSuchQuarantine(app: app.id, session: id)) }
      if !chosen.contains(found) { chosen.append(found) }
    }
    return chosen
  }

  /// Returns the number of items, files and bytes as text.
  static func sizeText(_ session: QuarantinedSession) -> String {
    "\(session.items.count) item\(session.items.count == 1 ? "" : "s"), \(session.files) file\(session.files == 1 ? "" : "s"), "
      + "\(session.bytes) byte\(session.bytes == 1 ? "" : "s")"
  }

  /// Returns a quarantined session as JSON.
  static func json(_ session: QuarantinedSession) -> JSONValue {
    [
      "session": .string(session.id.description), "path": .string(session.path),
      "items": .array(
        session.items.map { ["path": .string($0.path), "reason": .string($0.reason.rawValue)] }
      ),
      "files": .integer(session.files), "bytes": .integer(session.bytes),
    ]
  }
}
