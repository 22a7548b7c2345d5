// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import SessionStore

/// A picture, video or other capture in the library.
package struct Asset: Hashable, Sendable {
  /// Its name for programs: a random UUID, which tells nothing of how many there are.
  package var id: String
  /// Its name for people.
  package var title: String
  /// What kind of capture it is.
  package var mediaType: PhotoMediaType
  /// Its file below the library's directory.
  package var path: String
  /// The length of its file.
  package var bytes: Int64
  /// When it was added, in milliseconds since 1970.
  package var createdAt: Int64
  /// The app that added it.
  package var app: String
  /// The session that added it; nil if it was imported.
  package var session: String?
  /// Where the file was below the session directory; nil if it was imported.
  package var sourcePath: String?
}

extension PhotoMediaType {
  /// The kind that the ending of a file's name promises. Nothing is decoded: the library opens no hostile data.
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

/// How far an asset has come; the numbers stand in the index.
enum AssetState: Int64 {
  /// Its name is taken; its bytes are not safe yet. Recovery undoes it.
  case reserved = 0
  /// Its bytes are safe in the incoming directory, or in their place. Recovery finishes it.
  case staged = 1
  /// It is there for everybody who may see it.
  case present = 2
  /// Its file is being removed. Recovery finishes it.
  case leaving = 3
}

/// Where an asset stands in the order of all, newest first.
package struct AssetPosition: Hashable, Sendable {
  /// When it was added, in milliseconds since 1970.
  let createdAt: Int64
  /// Its id, by which those of one millisecond are ordered.
  let id: String

  /// The position as a word for whoever asks page by page; it holds also when the asset has been deleted.
  package var text: String { "\(createdAt)_\(id)" }

  /// A position.
  init(createdAt: Int64, id: String) {
    self.createdAt = createdAt
    self.id = id
  }

  /// The position of an asset.
  package init(_ asset: Asset) { self.init(createdAt: asset.createdAt, id: asset.id) }

  /// Reads what ``text`` writes; nil if it is anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 2, let time = Int64(parts[0]), time >= 0, AssetID.isValid(parts[1]) else {
      return nil
    }
    self.init(createdAt: time, id: String(parts[1]))
  }
}

/// The ids of assets: random UUIDs in lower case.
package enum AssetID {
  /// A new one.
  static func random() -> String { SessionID.random().description }

  /// Whether a text has the form of an id.
  package static func isValid(_ text: some StringProtocol) -> Bool { SessionID(String(text)) != nil }
}

/// Something that remains to be done about an asset.
struct AssetWork: Hashable {
  /// The file that shall be gone from a session when the asset is there.
  struct Source: Hashable {
    /// The session's content directory.
    var directory: String
    /// The number of the inode that was copied.
    var inode: UInt64
  }

  /// Who does it; see ``LibraryOwner``.
  var owner: String
  /// What is to be removed; nil if nothing is.
  var source: Source?
}

/// An asset about which something remains to be done.
struct UnfinishedAsset {
  /// The asset.
  var asset: Asset
  /// How far it has come.
  var state: AssetState
  /// The inode of its file, once it is staged.
  var inode: UInt64
  /// What remains.
  var work: AssetWork
}
