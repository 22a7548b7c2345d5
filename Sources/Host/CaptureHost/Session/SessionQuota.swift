// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import SessionStore

/// The space that a session may use, limited by the quota of its app and by the file system.
package struct SessionQuota: Sendable, Hashable {
  /// The number of bytes that may be added to the app's pending content, or `nil` for no limit.
  package var bytes: Int64?
  /// The number of files that may be added to the app's pending content, or `nil` for no limit.
  package var files: Int64?
  /// The space of the file system that must stay free, in bytes.
  package var freeReserve: Int64

  /// Creates a quota.
  package init(bytes: Int64? = nil, files: Int64? = nil, freeReserve: Int64 = 0) {
    self.bytes = bytes
    self.files = files
    self.freeReserve = freeReserve
  }

  /// Creates a quota from the remaining quota of an app.
  init(_ status: QuotaStatus) {
    let (used, limit) = (status.used, status.limit)
    bytes = limit.bytes.map { max(0, $0 - (used.bytes ?? 0)) }
    files = limit.files.map { max(0, $0 - (used.files ?? 0)) }
    freeReserve = status.reserve.bytes
  }

  /// Returns the bytes by which a session may exceed its limit before it is terminated. A session can write
  /// about as much between two measurements.
  static func overshoot(_ bytes: Int) -> Int { bytes == 0 ? 0 : min(max(bytes / 8, 4 << 20), 256 << 20) }

  /// Applies the quota to the terms of a session.
  func apply(_ terms: inout SessionTerms) {
    if let bytes, bytes < terms.content.bytes {
      terms.content.bytes = Int(bytes)
      terms.content.reason = .app
    }
    if let files, files < terms.content.files {
      terms.content.files = Int(files)
      terms.content.reason = .app
    }
    terms.content.overshoot = Self.overshoot(terms.content.bytes)
  }
}
