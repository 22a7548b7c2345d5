// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import SessionStore

/// What a session may take of what its app and its file system have left.
package struct SessionRoom: Sendable, Hashable {
  /// The most bytes that may still come to wait for the app; nil: as many as there are.
  package var bytes: Int64?
  /// The most files that may still come to wait for it; nil: as many as there are.
  package var files: Int64?
  /// How much of the file system is nobody's to take, in bytes.
  package var freeReserve: Int64

  /// Describes room.
  package init(bytes: Int64? = nil, files: Int64? = nil, freeReserve: Int64 = 0) {
    self.bytes = bytes
    self.files = files
    self.freeReserve = freeReserve
  }

  /// What an app has left.
  init(_ standing: QuotaStanding) {
    let (used, limit) = (standing.used, standing.limit)
    bytes = limit.bytes.map { max(0, $0 - (used.bytes ?? 0)) }
    files = limit.files.map { max(0, $0 - (used.files ?? 0)) }
    freeReserve = standing.reserve.bytes
  }

  /// How much a session can overshoot its limit before it is ended, in bytes: what can grow between two looks.
  static func overshoot(_ bytes: Int) -> Int { bytes == 0 ? 0 : min(max(bytes / 8, 4 << 20), 256 << 20) }

  /// Puts the room into the terms of a session.
  func bound(_ terms: inout SessionTerms) {
    if let bytes, bytes < terms.sessionBytes {
      terms.sessionBytes = Int(bytes)
      terms.boundBy = .app
    }
    if let files, files < terms.sessionFiles {
      terms.sessionFiles = Int(files)
      terms.boundBy = .app
    }
    terms.overshoot = Self.overshoot(terms.sessionBytes)
  }
}
