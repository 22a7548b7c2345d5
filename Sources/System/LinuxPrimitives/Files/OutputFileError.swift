// SPDX-License-Identifier: Apache-2.0

/// Why results cannot be written where a person wants them.
package enum OutputFileError: Error, Hashable, Sendable {
  /// A call failed.
  case system(SystemCallError)
  /// It is something that no results are written into.
  case unfit(String, FileStatus.Kind)
  /// It is a named pipe of another user, who would read them.
  case planted(String, owner: UInt32)
  /// It is a named pipe that nobody reads.
  case unread(String)
  /// Something else has taken its place while it was opened.
  case swapped(String)
}

extension OutputFileError: CustomStringConvertible {
  /// A sentence with the mend.
  package var description: String {
    switch self {
    case .system(let error) where [.noSuchFile, .notADirectory, .permissionDenied].contains(error.errno):
      "\(error); name a file in a directory that is there and that this user may write to"
    case .system(let error): "\(error)"
    case .unfit(let path, let kind):
      "\(path) is a \(kind.rawValue), which is not written into; name a file, a named pipe or /dev/stdout"
    case .planted(let path, let owner):
      "\(path) is a pipe of user \(owner), who would read what is written; name a file, or a pipe of this user's"
    case .unread(let path): "nobody reads the pipe \(path); begin to read it first, or name a file"
    case .swapped(let path):
      "something else took the place of \(path) while it was opened; name a path that no other user can change"
    }
  }
}
