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
  case diskFull(path: String, free: Int64, reserve: Int64)
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
    if space.free < standing.reserve || space.free == 0 {
      self = .diskFull(path: app.root.path, free: space.free, reserve: standing.reserve)
    } else if space.files > 0, space.freeFiles < Self.leastFiles {
      self = .noMoreFiles(path: app.root.path, free: space.freeFiles)
    } else {
      return nil
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
    case .diskFull(let path, let free, let reserve):
      "\(free) bytes are free in \(path), of which no session takes the last \(reserve): free some space, or keep less "
        + "free with 'darkroom quota set --reserve'"
    case .noMoreFiles(let path, let free):
      "the file system of \(path) can hold \(free) more files only: remove some, or give another place with --root DIR"
    }
  }
}
