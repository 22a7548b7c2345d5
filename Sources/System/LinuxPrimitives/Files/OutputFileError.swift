// SPDX-License-Identifier: Apache-2.0

/// The reason why results cannot be written to an output file.
package enum OutputFileError: Error, Hashable, Sendable {
  /// A system call failed.
  case system(SystemCallError)
  /// The file has a type that results are not written to.
  case unsupportedKind(String, FileStatus.Kind)
  /// The file is a named pipe of another user, who would read the results.
  case foreignPipe(String, owner: UInt32)
  /// The file is a named pipe without a reader.
  case noReader(String)
  /// The file was replaced while it was opened.
  case replacedMeanwhile(String)
}

extension OutputFileError: CustomStringConvertible {
  /// The error and its fix.
  package var description: String {
    switch self {
    case .system(let error) where [.noSuchFile, .notADirectory, .permissionDenied].contains(error.errno):
      "\(error); name a file in a directory that is there and that this user may write to"
    case .system(let error): "\(error)"
    case .unsupportedKind(let path, let kind):
      "\(path) is a \(kind.rawValue), which is not written into; name a file, a named pipe or /dev/stdout"
    case .foreignPipe(let path, let owner):
      "\(path) is a pipe of user \(owner), who would read what is written; name a file, or a pipe of this user's"
    case .noReader(let path): "nobody reads the pipe \(path); begin to read it first, or name a file"
    case .replacedMeanwhile(let path):
      "something else took the place of \(path) while it was opened; name a path that no other user can change"
    }
  }
}
