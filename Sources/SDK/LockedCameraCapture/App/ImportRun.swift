// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The paths of a ledger.
package struct ImportPaths: Sendable {
  /// The directory of the library, with one subdirectory per imported session.
  let library: String

  /// Creates the paths of a library.
  package init(library: String) {
    self.library = library.hasSuffix("/") && library.count > 1 ? String(library.dropLast()) : library
  }

  /// The directory of the ledger; its name starts with a dot, so that listings of the library show only
  /// sessions.
  private var ledger: String { "\(library)/.ledger" }
  /// Returns the final directory of a session's files.
  package func target(_ name: String) -> String { "\(library)/\(name)" }
  /// Returns the directory of a session's files during the import.
  package func incoming(_ name: String) -> String { "\(ledger)/\(name).incoming" }
  /// Returns the file that marks a session as imported.
  package func markerFile(_ name: String) -> String { "\(ledger)/\(name).imported" }
  /// Returns the file that is locked during an import; it contains the number of attempts.
  package func claim(_ name: String) -> String { "\(ledger)/\(name).claim" }

  /// Creates the directories.
  func prepare() throws(SystemCallError) { try FileSystem.makeDirectories(ledger) }

  /// Returns whether a session was imported.
  func isImported(_ name: String) throws(SystemCallError) -> Bool {
    try FileSystem.status(markerFile(name)) != nil
  }

  /// Marks a session as imported, durably.
  func markImported(_ name: String) throws(SystemCallError) {
    let text = "\(WallClock.text(milliseconds: WallClock.milliseconds))\n"
    try FileSystem.replaceContents(markerFile(name), with: Array(text.utf8))
  }
}

/// One import of one session, under a lock that excludes other imports of that session.
///
/// | killed after | action of the next import |
/// |---|---|
/// | `stage` | starts again with an empty directory |
/// | `publish` | finds the files in their final directory, and only marks the session |
/// | `finish` | nothing |
package final class ImportRun: Sendable {
  private let paths: ImportPaths
  private let name: String
  /// Held until this value is destroyed or the process exits.
  private let lock: FileLock

  /// Waits for the lock of this session, or returns `nil` if another import has completed.
  package init?(_ paths: ImportPaths, _ name: String) throws(SystemCallError) {
    if try paths.isImported(name) { return nil }
    lock = try FileLock.waitForClaim(paths.claim(name))
    self.paths = paths
    self.name = name
    if try paths.isImported(name) {
      try? FileSystem.unlink(paths.claim(name))
      return nil
    }
  }

  /// Creates an empty directory for the files.
  ///
  /// - Returns: `false` if an earlier import has already moved the files to their final directory.
  package func stage() throws(SystemCallError) -> Bool {
    // The directory may remain from an import that was killed.
    try FileSystem.removeTree(paths.incoming(name))
    if try FileSystem.status(paths.target(name)) != nil { return false }
    try FileSystem.makeDirectory(paths.incoming(name))
    return true
  }

  /// Synchronizes the files to disk, and then moves them to their final directory with one rename(2).
  package func publish() throws(SystemCallError) {
    let incoming = paths.incoming(name)
    try FileSystem.open(incoming, [.directory]).synchronizeFileSystem()
    try FileSystem.rename(incoming, to: paths.target(name), .noReplace)
    try FileSystem.synchronizeDirectory(paths.library)
  }

  /// Increments the number of attempts, durably, and returns the number of earlier attempts.
  package func countAttempt() throws(SystemCallError) -> Int {
    let text = try FileSystem.contents(paths.claim(name), limit: 64) ?? []
    let before = Int(String(decoding: text, as: UTF8.self)) ?? 0
    // The file is written in place, because a new file with its name would not be locked. A torn number
    // counts as 0.
    let file = try FileSystem.open(paths.claim(name), [.write, .truncate])
    try file.writeAll(Array("\(before + 1)".utf8))
    try file.synchronize()
    return before
  }

  /// Marks the session as imported.
  package func finish() throws(SystemCallError) {
    try paths.markImported(name)
    // The lock is still held: a process that waits for it finds that the file was unlinked, and then finds
    // the marker.
    try? FileSystem.unlink(paths.claim(name))
  }
}
