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

    /// Returns the noun for a count, such as `file` or `files`.
    fileprivate func noun(_ count: Int64) -> String { count == 1 ? String(rawValue.dropLast()) : rawValue }
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
    case .standard, .root: "reduce the reserve with 'darkroom quota set --reserve SIZE'"
    case .app: "reduce the reserve with 'darkroom quota set --app \(app) --reserve SIZE'"
    case .policy: "reduce that limit in the policy"
    }
  }
}

extension StorageRefusal: CustomStringConvertible {
  /// The reason and its fix.
  package var description: String {
    switch self {
    case .appFull(let app, let quantity, let waiting, let limit):
      "\(app) has \(waiting) pending \(quantity.noun(waiting)), and the limit is \(limit); let the app take content, "
        + "remove some with 'darkroom content invalidate \(app) SESSION', or raise the limit with "
        + "'darkroom quota set --app \(app) --\(quantity.rawValue) \(quantity == .bytes ? "SIZE" : "NUMBER")'"
    case .diskFull(let path, let free, let reserve, let app):
      "\(free) bytes are free in \(path), but a session of \(app) must leave \(reserve.bytes) free "
        + "(\(reserve.source)); free some space, or \(Self.reserveFix(reserve.source, app))"
    case .outOfInodes(let path, let free):
      "the file system of \(path) has only \(free) free inodes; remove files, or use another directory with --root DIR"
    }
  }
}
