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
      "its files have \(bytes) bytes, more than the limit of \(limit); remove files, or make them smaller"
    case .tooManyFiles(let count, let limit):
      "it has \(count) or more files, and the limit is \(limit); remove files, or combine several into one"
    case .tooManyDirectories(let count, let limit):
      "it has \(count) or more directories, and the limit is \(limit); remove directories"
    case .tooDeep(let path, let limit):
      "\(path) is more than \(limit) directories deep; move it up"
    case .symbolicLink(let path):
      "\(path) is a symbolic link; replace it with its target, as cp -rL does"
    case .hardLink(let path, let names):
      "\(path) has \(names) hard links; publish a copy that is made with cp -r --no-preserve=links"
    case .specialFile(let path, let kind):
      "\(path) is a \(kind), but only regular files and directories can be shared; remove it"
    case .specialMode(let path, let permissions):
      "\(path) has the mode \(String(permissions, radix: 8)); clear the special bits with chmod ug-s,-t"
    case .undisplayableName(let path):
      "the name of \(path) is not UTF-8, or contains control characters; rename it"
    case .missing: "No such file or directory (ENOENT); name the directory that contains the files to share"
    case .notADirectory: "it is not a directory; name the directory that contains the files to share"
    case .unreadable(let path, let errno):
      "\(path) cannot be read (\(errno)); change its permissions, or remove it"
    case .overlapsStore: "it contains the published assets, or is inside them; publish another directory"
    case .busy: "another process keeps the current assets locked; stop that process and try again"
    }
  }
}
