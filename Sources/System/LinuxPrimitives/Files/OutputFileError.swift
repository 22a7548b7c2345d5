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
      "\(error); name a file in an existing directory that this user may write to"
    case .system(let error): "\(error)"
    case .unsupportedKind(let path, let kind):
      "\(path) is a \(kind.rawValue), to which output cannot be written; name a file, a named pipe or /dev/stdout"
    case .foreignPipe(let path, let owner):
      "\(path) is a named pipe of UID \(owner), which could read the output; name a file, or a named pipe of this user"
    case .noReader(let path): "the named pipe \(path) has no reader; start the reader first, or name a file"
    case .replacedMeanwhile(let path):
      "\(path) was replaced while it was opened; name a path that no other user can change"
    }
  }
}
