// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The reason for which the storage does not permit another session.
package enum RoomRefusal: Error, Hashable, Sendable {
  /// A limited quantity of an app.
  package enum Matter: String, Sendable {
    /// The size in bytes.
    case bytes
    /// The number of files.
    case files
    /// The number of sessions.
    case sessions
  }

  /// The pending content of the app has reached a limit.
  case appFull(app: String, Matter, waiting: Int64, limit: Int64)
  /// The free space on the file system is below the reserve.
  case diskFull(path: String, free: Int64, reserve: FreeReserve, app: String)
  /// The file system has too few free inodes.
  case noMoreFiles(path: String, free: Int64)

  /// The number of files that a session needs in addition to those of the extension.
  private static let leastFiles: Int64 = 64

  /// Creates the reason for which an app cannot start a session, or returns `nil` if it can.
  package init?(_ standing: QuotaStanding, of app: AppStore) {
    let (used, limit, space) = (standing.used, standing.limit, standing.space)
    for (matter, waiting, most) in [
      (Matter.bytes, used.bytes, limit.bytes), (.files, used.files, limit.files),
      (.sessions, used.sessions, limit.sessions),
    ] {
      if let waiting, let most, waiting >= most {
        self = .appFull(app: app.id, matter, waiting: waiting, limit: most)
        return
      }
    }
    if space.free < standing.reserve.bytes || space.free == 0 {
      self = .diskFull(path: app.root.path, free: space.free, reserve: standing.reserve, app: app.id)
    } else if space.files > 0, space.freeFiles < Self.leastFiles {
      self = .noMoreFiles(path: app.root.path, free: space.freeFiles)
    } else {
      return nil
    }
  }

  /// Returns the fix that reduces the reserve.
  private static func mend(_ source: FreeReserve.Source, _ app: String) -> String {
    switch source {
    case .standard, .root: "keep less free with 'darkroom quota set --reserve SIZE'"
    case .app: "keep less free with 'darkroom quota set --app \(app) --reserve SIZE'"
    case .policy: "lower that limit in the policy"
    }
  }
}

extension RoomRefusal: CustomStringConvertible {
  /// The reason and its fix.
  package var description: String {
    switch self {
    case .appFull(let app, let matter, let waiting, let limit):
      "\(waiting) \(matter.rawValue) wait for \(app), and \(limit) may: let the app take them, or remove some with "
        + "'darkroom content invalidate \(app)', or allow more with 'darkroom quota set --app \(app)'"
    case .diskFull(let path, let free, let reserve, let app):
      "\(free) bytes are free in \(path), of which a session of \(app) leaves the last \(reserve.bytes), "
        + "\(reserve.source): free some space, or \(Self.mend(reserve.source, app))"
    case .noMoreFiles(let path, let free):
      "the file system of \(path) can hold \(free) more files only: remove some, or give another place with --root DIR"
    }
  }
}
