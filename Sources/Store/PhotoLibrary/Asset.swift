// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import SessionStore

/// A photo, video or other capture in the library.
package struct Asset: Hashable, Sendable {
  /// The ID: a random UUID, which does not reveal the number of assets.
  package var id: String
  /// The display name.
  package var title: String
  package var mediaType: PhotoMediaType
  /// The path of the file, relative to the library.
  package var path: String
  /// The file size in bytes.
  package var bytes: Int64
  /// The time of its addition, in milliseconds since 1970.
  package var createdAt: Int64
  /// The ID of the app that added the asset.
  package var app: String
  /// The session that added the asset, or `nil` if it was imported.
  package var session: String?
  /// The original path relative to the session directory, or `nil` if the asset was imported.
  package var sourcePath: String?
}

extension PhotoMediaType {
  /// Creates a media type from the extension of a file name. No data is decoded, because the library opens no
  /// untrusted data.
  package init(fileName: String) {
    let ending = fileName.split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? ""
    switch ending {
    case "jpg", "jpeg", "jpe", "png", "gif", "webp", "heic", "heif", "avif", "tif", "tiff", "bmp", "dng",
      "raw",
      "cr2", "cr3", "nef", "arw", "raf", "rw2", "orf", "jxl", "ppm", "pgm":
      self = .image
    case "mp4", "m4v", "mov", "mkv", "webm", "avi", "mpg", "mpeg", "ts", "y4m", "3gp", "ogv": self = .video
    case "wav", "mp3", "m4a", "aac", "flac", "ogg", "opus", "oga": self = .audio
    default: self = .other
    }
  }
}

/// The state of an asset in the index, where the raw values are stored.
enum AssetState: Int64 {
  /// The name is reserved, but the data is not durable. Recovery undoes the addition.
  case reserved = 0
  /// The data is durable in the incoming directory or at its final path. Recovery finishes the addition.
  case staged = 1
  /// The asset is visible to authorized readers.
  case present = 2
  /// The file is being removed. Recovery finishes the removal.
  case deleting = 3
}

/// The position of an asset in the order of all assets, newest first.
package struct AssetPosition: Hashable, Sendable {
  /// The time of the addition, in milliseconds since 1970.
  let createdAt: Int64
  /// The ID, which orders assets of the same millisecond.
  let id: String

  /// The position as a token for paging. It stays valid when the asset is deleted.
  package var text: String { "\(createdAt)_\(id)" }

  /// Creates a position.
  init(createdAt: Int64, id: String) {
    self.createdAt = createdAt
    self.id = id
  }

  /// Creates the position of an asset.
  package init(_ asset: Asset) { self.init(createdAt: asset.createdAt, id: asset.id) }

  /// Creates a position from its ``text``, or returns `nil` if the text is invalid.
  package init?(_ text: String) {
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 2, let time = Int64(parts[0]), time >= 0, AssetID.isValid(parts[1]) else {
      return nil
    }
    self.init(createdAt: time, id: String(parts[1]))
  }
}

/// The IDs of assets: random UUIDs in lower case.
package enum AssetID {
  /// Returns a new ID.
  static func random() -> String { SessionID.random().description }

  /// Returns whether a text has the form of an ID.
  package static func isValid(_ text: some StringProtocol) -> Bool { SessionID(String(text)) != nil }
}

/// Pending work for an asset.
struct AssetWork: Hashable {
  /// A file that is removed from a session when the asset is visible.
  struct Source: Hashable {
    /// The content directory of the session.
    var directory: String
    /// The inode number of the copied file.
    var inode: UInt64
  }

  /// The name of the owner that does the work; see ``LibraryOwner``.
  var owner: String
  /// The file to remove, or `nil` if there is none.
  var source: Source?
}

/// An asset with pending work.
struct UnfinishedAsset {
  /// The asset to which the work belongs.
  var asset: Asset
  /// The state of the asset.
  var state: AssetState
  /// The inode number of its file, when it is staged.
  var inode: UInt64
  /// The pending work.
  var work: AssetWork
}
