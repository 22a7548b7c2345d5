// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Why there is no room for another session.
package enum RoomRefusal: Error, Hashable, Sendable {
  /// What can be limited for an app.
  package enum Matter: String, Sendable {
    /// Bytes.
    case bytes
    /// Files.
    case files
    /// Sessions.
    case sessions
  }

  /// As much waits for the app as may.
  case appFull(app: String, Matter, waiting: Int64, limit: Int64)
  /// The file system has no more left than what no session takes.
  case diskFull(path: String, free: Int64, reserve: FreeReserve, app: String)
  /// The file system can hold hardly any more files, however large.
  case noMoreFiles(path: String, free: Int64)

  /// How many files a session needs beside those that the extension makes.
  private static let leastFiles: Int64 = 64

  /// Why a session of an app cannot have room; nil: it can.
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

  /// How less is kept free.
  private static func mend(_ source: FreeReserve.Source, _ app: String) -> String {
    switch source {
    case .standard, .root: "keep less free with 'darkroom quota set --reserve SIZE'"
    case .app: "keep less free with 'darkroom quota set --app \(app) --reserve SIZE'"
    case .policy: "lower that limit in the policy"
    }
  }
}

extension RoomRefusal: CustomStringConvertible {
  /// What is full, and how to make room.
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
