// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// How much may wait for an app that has not taken it; nil: as much as there is.
package struct AppQuota: Sendable, Hashable {
  /// Bytes.
  package var bytes: Int64?
  /// Files.
  package var files: Int64?
  /// Sessions.
  package var sessions: Int64?

  /// Sets limits.
  package init(bytes: Int64? = nil, files: Int64? = nil, sessions: Int64? = nil) {
    self.bytes = bytes
    self.files = files
    self.sessions = sessions
  }

  /// What holds where nothing is said here.
  package func completed(by other: AppQuota) -> AppQuota {
    AppQuota(
      bytes: bytes ?? other.bytes,
      files: files ?? other.files,
      sessions: sessions ?? other.sessions
    )
  }

  /// As it is kept, and as programs get it.
  package var json: JSONValue {
    .object([
      "bytes": bytes.map(JSONValue.integer), "files": files.map(JSONValue.integer),
      "sessions": sessions.map(JSONValue.integer),
    ])
  }

  /// Reads limits.
  init(reading reader: DocumentReader) throws(DocumentFault) {
    self.init(
      bytes: try reader.optional("bytes", reader.integer),
      files: try reader.optional("files", reader.integer),
      sessions: try reader.optional("sessions", reader.integer)
    )
  }
}

/// What the person allows sessions to take of the machine.
package struct StorageQuota: Sendable, Hashable {
  /// How many bytes of the file system no session takes; nil: ``standardReserve(of:)``.
  package var reserve: Int64?
  /// What holds for every app.
  package var standard = AppQuota()
  /// What holds for some of them instead.
  package var apps: [String: AppQuota] = [:]

  /// Nothing but what is standard.
  package init() {}

  /// What holds for an app.
  package func quota(of app: String) -> AppQuota { (apps[app] ?? AppQuota()).completed(by: standard) }

  /// What no session takes of a file system where nobody says otherwise: a twentieth, and no more than 64 MiB.
  package static func standardReserve(of total: Int64) -> Int64 { min(64 << 20, total / 20) }

  /// As it is kept, and as programs get it.
  package var json: JSONValue {
    .object([
      "version": 1, "reserve": reserve.map(JSONValue.integer), "standard": standard.json,
      "apps": .object(apps.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value.json) }),
    ])
  }

  /// Reads what was kept.
  init(json value: JSONValue) throws(DocumentFault) {
    let reader = DocumentReader(value)
    guard try reader.integer("version") == 1 else { throw reader.fault("version", "1") }
    reserve = try reader.optional("reserve", reader.integer)
    standard = try AppQuota(reading: reader.object("standard"))
    let named = try reader.object("apps")
    for member in named.value.members ?? [] {
      apps[member.name] = try AppQuota(reading: named.object(member.name))
    }
  }
}
