// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// Limits on the pending content of an app. `nil` means unlimited.
package struct AppQuota: Sendable, Hashable {
  /// The maximum size in bytes.
  package var bytes: Int64?
  /// The maximum number of files.
  package var files: Int64?
  /// The maximum number of sessions.
  package var sessions: Int64?

  /// Creates limits.
  package init(bytes: Int64? = nil, files: Int64? = nil, sessions: Int64? = nil) {
    self.bytes = bytes
    self.files = files
    self.sessions = sessions
  }

  /// Returns these limits, with missing ones taken from others.
  package func completed(by other: AppQuota) -> AppQuota {
    AppQuota(
      bytes: bytes ?? other.bytes,
      files: files ?? other.files,
      sessions: sessions ?? other.sessions
    )
  }

  /// The limits as stored and as reported to programs.
  package var json: JSONValue {
    .object([
      "bytes": bytes.map(JSONValue.integer), "files": files.map(JSONValue.integer),
      "sessions": sessions.map(JSONValue.integer),
    ])
  }

  /// Parses limits.
  init(reading reader: DocumentReader) throws(DocumentFault) {
    self.init(
      bytes: try reader.optional("bytes", reader.integer),
      files: try reader.optional("files", reader.integer),
      sessions: try reader.optional("sessions", reader.integer)
    )
  }
}

/// The user's limits on the storage that sessions use.
package struct StorageQuota: Sendable, Hashable {
  /// The space in bytes that all sessions leave free, or `nil` for ``standardReserve(of:)``.
  package var reserve: Int64?
  /// The default limits of all apps.
  package var standard = AppQuota()
  /// The limits of individual apps.
  package var apps: [String: AppQuota] = [:]
  /// The space in bytes that sessions of individual apps leave free, if it exceeds the reserve.
  package var reserves: [String: Int64] = [:]

  /// Creates the default quotas.
  package init() {}

  /// Returns the limits of an app.
  package func quota(of app: String) -> AppQuota { (apps[app] ?? AppQuota()).completed(by: standard) }

  /// Returns the default reserve in bytes: 5 % of the file system, at most 64 MiB.
  package static func standardReserve(of total: Int64) -> Int64 { min(64 << 20, total / 20) }

  /// Returns the reserve of all apps on a file system with the given size in bytes.
  package func reserve(of total: Int64) -> FreeReserve {
    guard let reserve else { return FreeReserve(bytes: Self.standardReserve(of: total), source: .standard) }
    return FreeReserve(bytes: reserve, source: .root)
  }

  /// Returns the reserve of an app on a file system with the given size in bytes.
  package func reserve(of total: Int64, app: String) -> FreeReserve {
    reserve(of: total).raised(to: reserves[app], by: .app)
  }

  /// The apps with individual settings, sorted.
  package var configuredApps: [String] { Set(apps.keys).union(reserves.keys).sorted() }

  /// The quotas as stored and as reported to programs.
  package var json: JSONValue {
    let chosen = configuredApps.map { app in
      let members = (apps[app] ?? AppQuota()).json.members ?? []
      let reserve = reserves[app].map { [JSONValue.Member("reserve", .integer($0))] } ?? []
      return JSONValue.Member(app, .object(members + reserve))
    }
    return .object([
      "version": 1, "reserve": reserve.map(JSONValue.integer), "standard": standard.json,
      "apps": .object(chosen),
    ])
  }

  /// Parses stored quotas.
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
