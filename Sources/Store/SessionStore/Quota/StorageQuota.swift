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
  /// How many bytes of the file system the sessions of some of them leave free, where that is more than the reserve.
  package var reserves: [String: Int64] = [:]

  /// Nothing but what is standard.
  package init() {}

  /// What holds for an app.
  package func quota(of app: String) -> AppQuota { (apps[app] ?? AppQuota()).completed(by: standard) }

  /// What no session takes of a file system where nobody says otherwise: a twentieth, and no more than 64 MiB.
  package static func standardReserve(of total: Int64) -> Int64 { min(64 << 20, total / 20) }

  /// What no session takes of a file system of this size, whatever its app.
  package func reserve(of total: Int64) -> FreeReserve {
    guard let reserve else { return FreeReserve(bytes: Self.standardReserve(of: total), source: .standard) }
    return FreeReserve(bytes: reserve, source: .root)
  }

  /// What no session of an app takes of a file system of this size.
  package func reserve(of total: Int64, app: String) -> FreeReserve {
    reserve(of: total).raised(to: reserves[app], by: .app)
  }

  /// The apps for which something was chosen, in order.
  package var chosenApps: [String] { Set(apps.keys).union(reserves.keys).sorted() }

  /// As it is kept, and as programs get it.
  package var json: JSONValue {
    let chosen = chosenApps.map { app in
      let members = (apps[app] ?? AppQuota()).json.members ?? []
      let reserve = reserves[app].map { [JSONValue.Member("reserve", .integer($0))] } ?? []
      return JSONValue.Member(app, .object(members + reserve))
    }
    return .object([
      "version": 1, "reserve": reserve.map(JSONValue.integer), "standard": standard.json,
      "apps": .object(chosen),
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
      let chosen = try named.object(member.name)
      let quota = try AppQuota(reading: chosen)
      if quota != AppQuota() { apps[member.name] = quota }
      reserves[member.name] = try chosen.optional("reserve", chosen.integer)
    }
  }
}
