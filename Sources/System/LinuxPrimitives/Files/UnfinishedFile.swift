// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A temporary file that will replace another file, or be created in a directory, and is abandoned if its
/// writer dies.
///
/// The writer holds a lock (flock(2)), which the kernel releases when the writer exits. A cleanup can
/// therefore distinguish files that are being written from files that a crash has left, in any directory and
/// at any time.
package enum UnfinishedFile {
  /// The text between the name of the replaced file and the random suffix.
  private static let infix = ".new."
  /// The prefix of temporary files that do not replace a file.
  private static let prefix = ".new-"
  /// The length of the random suffix.
  private static let suffixLength = 12

  /// Returns a temporary path for a file that will replace the file at `path`.
  package static func path(replacing path: String) -> String { "\(path)\(infix)\(randomEnd())" }

  /// Returns a temporary path for a new file in a directory.
  package static func path(in directory: String) -> String { "\(directory)/\(prefix)\(randomEnd())" }

  private static func randomEnd() -> String { Randomness.hexadecimal(bytes: suffixLength / 2) }

  /// Creates and locks the file. Returns `nil` if a cleanup locked the new file first, so that another name
  /// is needed.
  package static func make(_ path: String, mode: UInt32 = 0o600) throws(SystemCallError) -> Descriptor? {
    let file = try FileSystem.open(path, [.write, .create, .exclusive], mode: mode)
    let raw = file.rawValue
    // Without support for such locks in the file system or policy, a cleanup may remove the file.
    if flock(raw, LOCK_EX | LOCK_NB) < 0, Errno.current == .wouldBlock { return nil }
    return file
  }

  /// Releases the lock. This must happen right before the file is renamed.
  ///
  /// A process that locks the renamed file must find it unlocked, even while a process that is being launched
  /// shares the open file. A cleanup at this moment removes the file, so that another name is needed.
  package static func release(_ file: borrowing Descriptor) { _ = flock(file.rawValue, LOCK_UN) }

  /// Returns whether a name is one of a temporary file.
  package static func isName(_ name: String) -> Bool {
    let end = name.utf8.suffix(suffixLength)
    guard end.count == suffixLength, end.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else {
      return false
    }
    let rest = name.dropLast(suffixLength)
    return rest == prefix || rest.count > infix.count && rest.hasSuffix(infix)
  }

  /// Removes the temporary files in a directory whose writers have died. A missing directory is not an error.
  package static func removeAbandoned(in directory: String) throws(SystemCallError) {
    for name in try FileSystem.names(in: directory) where isName(name) {
      let path = "\(directory)/\(name)"
      do {
        let file = try FileSystem.open(path, [.noFollow, .nonBlocking])
        let raw = file.rawValue
        try check("flock", path: path) { flock(raw, LOCK_EX | LOCK_NB) }
        // If the file has been renamed in the meantime, this name does not exist.
        try FileSystem.unlink(path)
      } catch  where error.errno == .wouldBlock || error.errno == .noSuchFile {
        continue
      }
    }
  }
}
