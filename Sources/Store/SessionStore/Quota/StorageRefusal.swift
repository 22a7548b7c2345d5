// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The reason for which the storage does not permit another session.
package enum StorageRefusal: Error, Hashable, Sendable {
  /// A limited quantity of an app.
  package enum Quantity: String, Sendable {
    /// The size in bytes.
    case bytes
    /// The number of files.
    case files
    /// The number of sessions.
    case sessions
  }

  /// The pending content of the app has reached a limit.
  case appFull(app: String, Quantity, waiting: Int64, limit: Int64)
  /// The free space on the file system is below the reserve.
  case diskFull(path: String, free: Int64, reserve: FreeReserve, app: String)
  /// The file system has too few free inodes.
  case outOfInodes(path: String, free: Int64)

  /// The number of files that a session needs in addition to those of the extension.
  private static let minimumFiles: Int64 = 64

  /// Creates the reason for which an app cannot start a session, or returns `nil` if it can.
  package init?(_ status: QuotaStatus, of app: AppStore) {
    let (used, limit, space) = (status.used, status.limit, status.space)
    for (quantity, waiting, maximum) in [
      (Quantity.bytes, used.bytes, limit.bytes), (.files, used.files, limit.files),
      (.sessions, used.sessions, limit.sessions),
    ] {
      if let waiting, let maximum, waiting >= maximum {
        self = .appFull(app: app.id, quantity, waiting: waiting, limit: maximum)
        return
      }
    }
    if space.free < status.reserve.bytes || space.free == 0 {
      self = .diskFull(path: app.root.path, free: space.free, reserve: status.reserve, app: app.id)
    } else if space.files > 0, space.freeFiles < Self.minimumFiles {
      self = .outOfInodes(path: app.root.path, free: space.freeFiles)
    } else {
      return nil
    }
  }

  /// Returns the fix that reduces the reserve.
  private static func reserveFix(_ source: FreeReserve.Source, _ app: String) -> String {
    switch source {
    case .standard, .root: "keep less free with 'darkroom quota set --reserve SIZE'"
    case .app: "keep less free with 'darkroom quota set --app \(app) --reserve SIZE'"
    case .policy: "lower that limit in the policy"
    }
  }
}

extension StorageRefusal: CustomStringConvertible {
  /// The reason and its fix.
  package var description: String {
    switch self {
    case .appFull(let app, let quantity, let waiting, let limit):
      "\(waiting) \(quantity.rawValue) wait for \(app), and \(limit) may: let the app take them, or remove some with "
        + "'darkroom content invalidate \(app)', or allow more with 'darkroom quota set --app \(app)'"
    case .diskFull(let path, let free, let reserve, let app):
      "\(free) bytes are free in \(path), of which a session of \(app) leaves the last \(reserve.bytes), "
        + "\(reserve.source): free some space, or \(Self.reserveFix(reserve.source, app))"
    case .outOfInodes(let path, let free):
      "the file system of \(path) can hold \(free) more files only: remove some, or give another place with --root DIR"
    }
  }
}
