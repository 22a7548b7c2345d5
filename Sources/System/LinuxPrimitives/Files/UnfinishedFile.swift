// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A file that is written beside the one that it shall replace, and is nobody's once its writer has died.
///
/// The writer holds its lock (flock(2)), which dies with them; so whoever tidies up can tell what is being written from
/// what a crash has left, in any directory and at any time.
package enum UnfinishedFile {
  /// What stands between the name of the file that is replaced and a random end.
  private static let infix = ".new."
  /// What the names of files begin with that replace none.
  private static let prefix = ".new-"
  /// The length of a random end.
  private static let digits = 12

  /// A name for what shall replace the file at a path.
  package static func path(replacing path: String) -> String { "\(path)\(infix)\(randomEnd())" }

  /// A name for something new in a directory.
  package static func path(in directory: String) -> String { "\(directory)/\(prefix)\(randomEnd())" }

  private static func randomEnd() -> String { Randomness.hexadecimal(bytes: digits / 2) }

  /// Makes the file and locks it; nil: whoever tidies up was faster, and the name is spent.
  package static func make(_ path: String, mode: UInt32 = 0o600) throws(SystemCallError) -> Descriptor? {
    let file = try FileSystem.open(path, [.write, .create, .exclusive], mode: mode)
    let raw = file.rawValue
    // A file system or a policy without such locks leaves the file to whoever looks for it.
    if flock(raw, LOCK_EX | LOCK_NB) < 0, Errno.current == .wouldBlock { return nil }
    return file
  }

  /// Lets go of the lock, which is to be done right before the file gets its name: who takes the file then by a lock of
  /// their own must find it free, also while a process that is just being launched shares what the writer has open.
  ///
  /// Whoever tidies up in that moment removes the file, and the name is spent.
  package static func release(_ file: borrowing Descriptor) { _ = flock(file.rawValue, LOCK_UN) }

  /// Whether a name is that of such a file.
  package static func isName(_ name: String) -> Bool {
    let end = name.utf8.suffix(digits)
    guard end.count == digits, end.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else { return false }
    let rest = name.dropLast(digits)
    return rest == prefix || rest.count > infix.count && rest.hasSuffix(infix)
  }

  /// Removes what writers have left in a directory who died; a directory that is not there holds nothing.
  package static func removeAbandoned(in directory: String) throws(SystemCallError) {
    for name in try FileSystem.names(in: directory) where isName(name) {
      let path = "\(directory)/\(name)"
      do {
        let file = try FileSystem.open(path, [.noFollow, .nonBlocking])
        let raw = file.rawValue
        try check("flock", path: path) { flock(raw, LOCK_EX | LOCK_NB) }
        // If it has its final name by now, this one is gone.
        try FileSystem.unlink(path)
      } catch  where error.errno == .wouldBlock || error.errno == .noSuchFile {
        continue
      }
    }
  }
}
