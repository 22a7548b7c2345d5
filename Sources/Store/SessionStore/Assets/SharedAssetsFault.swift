// SPDX-License-Identifier: Apache-2.0

/// How much an app may share with its extensions.
package struct SharedAssetsLimits: Hashable, Sendable {
  /// The most bytes of all files together.
  package var bytes: Int64 = 64 << 20
  /// The most files.
  package var files: Int64 = 1000
  /// The most directories below the one that is published.
  package var directories: Int64 = 1000
  /// The most directories on the way to a file; sixteen names of the longest kind are a path that every call takes.
  package var depth = 16

  /// The limits that hold for everybody.
  package init() {}
}

/// Why a directory cannot be shared.
package enum SharedAssetsFault: Hashable, Sendable {
  /// Its files are longer than is allowed.
  case tooLarge(bytes: Int64, limit: Int64)
  /// It has more files than are allowed.
  case tooManyFiles(Int64, limit: Int64)
  /// It has more directories than are allowed.
  case tooManyDirectories(Int64, limit: Int64)
  /// A directory lies deeper than is allowed.
  case tooDeep(path: String, limit: Int)
  /// A symbolic link is in it.
  case symbolicLink(path: String)
  /// A file in it has another name somewhere, by which it could be changed or be somebody else's.
  case hardLink(path: String, names: UInt64)
  /// Something is in it that is neither a file nor a directory.
  case special(path: String, kind: String)
  /// A file in it would run with somebody else's rights.
  case specialMode(path: String, permissions: UInt32)
  /// A name is no UTF-8, or would move a terminal's cursor.
  case unspeakableName(path: String)
  /// What was given is not there.
  case missing
  /// What was given is no directory.
  case noDirectory
  /// A file or a directory cannot be opened.
  case unreadable(path: String, errno: String)
  /// The directory holds the app's assets themselves, or lies in them.
  case ownPlace
  /// The current set is being removed by somebody who publishes no other.
  case busy
}

extension SharedAssetsFault: CustomStringConvertible {
  /// What is wrong, and its mend.
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
    case .special(let path, let kind):
      "\(path) is a \(kind), and only files and directories can be shared; remove it"
    case .specialMode(let path, let permissions):
      "\(path) has the mode \(String(permissions, radix: 8)); take the special bits away: chmod ug-s,-t"
    case .unspeakableName(let path):
      "the name of \(path) is no UTF-8, or has control characters; give it another"
    case .missing: "there is nothing of this name; give the directory whose files are to be shared"
    case .noDirectory: "it is no directory; give the one whose files are to be shared"
    case .unreadable(let path, let errno):
      "\(path) cannot be read (\(errno)); change its permissions, or leave it out"
    case .ownPlace: "it holds the assets that are published, or lies in them; publish another directory"
    case .busy: "somebody keeps the current set locked; end what does, and try again"
    }
  }
}
