// SPDX-License-Identifier: Apache-2.0

/// Limits on the files that an app shares with its extensions.
package struct SharedAssetsLimits: Hashable, Sendable {
  /// The maximum total size of the files in bytes.
  package var bytes: Int64 = 64 << 20
  /// The maximum number of files.
  package var files: Int64 = 1000
  /// The maximum number of directories below the published directory.
  package var directories: Int64 = 1000
  /// The maximum depth of a file. A path of 16 names of maximum length fits into `PATH_MAX`.
  package var depth = 16

  /// Creates the default limits.
  package init() {}
}

/// The reason for which a directory cannot be shared.
package enum SharedAssetsFault: Hashable, Sendable {
  /// The total size of the files exceeds the limit.
  case tooLarge(bytes: Int64, limit: Int64)
  /// The number of files exceeds the limit.
  case tooManyFiles(Int64, limit: Int64)
  /// The number of directories exceeds the limit.
  case tooManyDirectories(Int64, limit: Int64)
  /// The depth of a directory exceeds the limit.
  case tooDeep(path: String, limit: Int)
  /// The directory contains a symbolic link.
  case symbolicLink(path: String)
  /// A file has further hard links, through which another process could change it or which belong to another
  /// user.
  case hardLink(path: String, names: UInt64)
  /// The directory contains a special file.
  case specialFile(path: String, kind: String)
  /// A file has set-user-ID, set-group-ID or sticky bits.
  case specialMode(path: String, permissions: UInt32)
  /// A name is not UTF-8 or contains control characters.
  case undisplayableName(path: String)
  /// The directory does not exist.
  case missing
  /// The path is not a directory.
  case notADirectory
  /// A file or directory cannot be opened.
  case unreadable(path: String, errno: String)
  /// The directory contains the app's assets directory or is inside it.
  case overlapsStore
  /// Another process keeps the current set locked for removal.
  case busy
}

extension SharedAssetsFault: CustomStringConvertible {
  /// The problem and its fix.
  package var description: String {
    switch self {
    case .tooLarge(let bytes, let limit):
      "its files take \(bytes) bytes, the limit is \(limit); leave some out, or make them smaller"
    case .tooManyFiles(let count, let limit):
      "it has \(count) files or more, the limit is \(limit); leave some out, or put several into one"
    case .tooManyDirectories(let count, let limit):
      "it has \(count) directories or more, the limit is \(limit); leave some out"
    case .tooDeep(let path, let limit):
      "\(path) lies deeper than \(limit) directories; move it up"
    case .symbolicLink(let path):
      "\(path) is a symbolic link; put what it names in its place, as cp -rL does"
    case .hardLink(let path, let names):
      "\(path) is one of \(names) names of a file; publish a copy, as cp -r --no-preserve=links makes it"
    case .specialFile(let path, let kind):
      "\(path) is a \(kind), and only files and directories can be shared; remove it"
    case .specialMode(let path, let permissions):
      "\(path) has the mode \(String(permissions, radix: 8)); take the special bits away: chmod ug-s,-t"
    case .undisplayableName(let path):
      "the name of \(path) is no UTF-8, or has control characters; give it another"
    case .missing: "there is nothing of this name; give the directory whose files are to be shared"
    case .notADirectory: "it is no directory; give the one whose files are to be shared"
    case .unreadable(let path, let errno):
      "\(path) cannot be read (\(errno)); change its permissions, or leave it out"
    case .overlapsStore: "it holds the assets that are published, or lies in them; publish another directory"
    case .busy: "somebody keeps the current set locked; end what does, and try again"
    }
  }
}
