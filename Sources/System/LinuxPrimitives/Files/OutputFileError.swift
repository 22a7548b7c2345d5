// SPDX-License-Identifier: Apache-2.0

/// The reason why results cannot be written to an output file.
package enum OutputFileError: Error, Hashable, Sendable {
  /// A system call failed.
  case system(SystemCallError)
  /// The file has a type that results are not written to.
  case unfit(String, FileStatus.Kind)
  /// The file is a named pipe of another user, who would read the results.
  case planted(String, owner: UInt32)
  /// The file is a named pipe without a reader.
  case unread(String)
  /// The file was replaced while it was opened.
  case swapped(String)
}

extension OutputFileError: CustomStringConvertible {
  /// The error and its fix.
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
