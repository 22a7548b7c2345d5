// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// Where a ledger keeps what it knows.
package struct ImportPlaces: Sendable {
  /// The library: one directory a session that was imported.
  let library: String

  /// The places in a library.
  package init(library: String) {
    self.library = library.hasSuffix("/") && library.count > 1 ? String(library.dropLast()) : library
  }

  /// The ledger's own directory, with a dot so that the library shows sessions only.
  private var ledger: String { "\(library)/.ledger" }
  /// Where a session's files end up.
  package func target(_ name: String) -> String { "\(library)/\(name)" }
  /// Where they are until they are complete.
  package func incoming(_ name: String) -> String { "\(ledger)/\(name).incoming" }
  /// The file that says that a session was imported.
  package func mark(_ name: String) -> String { "\(ledger)/\(name).imported" }
  /// The file that is locked while somebody imports a session; it holds the number of attempts.
  package func claim(_ name: String) -> String { "\(ledger)/\(name).claim" }

  /// Makes the directories.
  func prepare() throws(SystemCallError) { try FileSystem.makeDirectories(ledger) }

  /// Whether a session was imported.
  func isDone(_ name: String) throws(SystemCallError) -> Bool { try FileSystem.status(mark(name)) != nil }

  /// Writes the mark, durably.
  func markDone(_ name: String) throws(SystemCallError) {
    let text = "\(WallClock.text(milliseconds: WallClock.milliseconds))\n"
    try FileSystem.replaceContents(mark(name), with: Array(text.utf8))
  }
}

/// One import of one session, which nobody else makes meanwhile.
///
/// | killed after | what the next one does |
/// |---|---|
/// | `stage` | begins anew, with an empty directory |
/// | `publish` | finds the files in their place, and only marks |
/// | `finish` | nothing |
package final class ImportRun: Sendable {
  private let places: ImportPlaces
  private let name: String
  /// Held until this value goes away, or the process does.
  private let lock: FileLock

  /// Waits until nobody else imports this session; nil if it is imported by then.
  package init?(_ places: ImportPlaces, _ name: String) throws(SystemCallError) {
    if try places.isDone(name) { return nil }
    lock = try FileLock.waitForClaim(places.claim(name))
    self.places = places
    self.name = name
    if try places.isDone(name) {
      try? FileSystem.unlink(places.claim(name))
      return nil
    }
  }

  /// Makes an empty directory for the files; false if an earlier run has put them in their place already.
  package func stage() throws(SystemCallError) -> Bool {
    // A run that was killed has left it behind.
    try FileSystem.removeTree(places.incoming(name))
    if try FileSystem.status(places.target(name)) != nil { return false }
    try FileSystem.makeDirectory(places.incoming(name))
    return true
  }

  /// Makes the files durable, and then puts them in their place with one rename.
  package func publish() throws(SystemCallError) {
    let incoming = places.incoming(name)
    try FileSystem.open(incoming, [.directory]).synchronizeFileSystem()
    try FileSystem.rename(incoming, to: places.target(name), .noReplace)
    try FileSystem.synchronizeDirectory(places.library)
  }

  /// Counts one more attempt, durably, and gives how many there were.
  package func countAttempt() throws(SystemCallError) -> Int {
    let text = try FileSystem.contents(places.claim(name), limit: 64) ?? []
    let before = Int(String(decoding: text, as: UTF8.self)) ?? 0
    // In place: the file is locked, and another with its name would not be. A torn number counts from 0 again.
    let file = try FileSystem.open(places.claim(name), [.write, .truncate])
    try file.writeAll(Array("\(before + 1)".utf8))
    try file.synchronize()
    return before
  }

  /// Marks the session as imported.
  package func finish() throws(SystemCallError) {
    try places.markDone(name)
    // The lock is still held: whoever waits for it sees that its file has no name any more, and then the mark.
    try? FileSystem.unlink(places.claim(name))
  }
}
