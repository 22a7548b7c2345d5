// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import Testing

@testable import SessionStore

/// The directory that a session leaves to the next one: files of the host only, without traces of the
/// session.
@Suite(.timeLimit(.minutes(20))) struct SpareDirectoryTests {
  private let store: TemporaryStore
  private let spare: String

  init() throws {
    store = try TemporaryStore()
    spare = store.root.spareDirectory
  }

  private func inode(_ path: String) throws -> UInt64? { try FileSystem.status(path)?.inode }

  @Test func `the next session reuses the directory and lock with its own journal`() throws {
    let first = try store.migrate { try write("of the first", to: "\($0)/secret") }
    #expect(try FileSystem.names(in: spare) == ["lock", "reserve-general", "reserve-settling"])
    let inodes = try (inode(spare), inode("\(spare)/lock"))
    let next = try store.workspace()
    let places = next.places
    #expect(try (inode(places.directory), inode(places.lockFile)) == inodes)
    #expect(try FileSystem.status(spare) == nil)
    #expect(try Journal.read(places.journalFile)?.sessionID == next.id)
    #expect(try FileSystem.names(in: places.contentDirectory) == [])
    #expect(first.record.sessionID != next.id)
    let texts = try TemporaryStore.tree(places.directory)
    #expect(texts.values.allSatisfy { !$0.contains("of the first") })
    #expect(try SessionClaim.isHeld(places.lockFile, in: store.root))
    next.abandon()
    #expect(try store.leftovers() == [])
  }

  /// An extension can read the inode number and timestamps of a directory, and a process with the host's UID
  /// can set some timestamps. A reused directory would be a channel between sessions of different apps.
  @Test func `directories visible to an extension are never reused`() throws {
    for _ in 0..<2 {
      let before = WallClock.milliseconds
      let session = try store.workspace()
      let places = session.places
      for shown in [places.contentDirectory, places.libraryDirectory] {
        let made = try #require(try FileSystem.status(shown)?.modified)
        #expect(made / 1_000_000 >= before - 100, "\(shown)")
        var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
        succeed(utimensat(AT_FDCWD, shown, &times, 0), "utimensat")
      }
      let draft = store.draft(session)
      _ = try Migration(session, draft: draft).run()
    }
  }

  /// If the journal were reused earlier, a power failure could restore its name in the first session.
  @Test func `the journal of a session is overwritten by the session after the next`() throws {
    let first = try store.migrate { _ in }
    let settling = "\(spare)/reserve-settling"
    let journal = try #require(try inode(settling))
    let second = try store.migrate { _ in }
    #expect(try inode("\(spare)/reserve-journal") == journal)
    #expect(try Journal.read("\(spare)/reserve-journal")?.sessionID == first.record.sessionID)
    #expect(try Journal.read(settling)?.sessionID == second.record.sessionID)
    let third = try store.workspace()
    #expect(try inode(third.places.journalFile) == journal)
    #expect(try Journal.read(third.places.journalFile)?.sessionID == third.id)
    third.abandon()
  }

  @Test func `does not keep a journal that contains an outcome`() throws {
    let first = try store.migrate { path in
      // Nine files are more than the limit for small content, so the outcome is written first.
      for number in 0..<9 { try write("", to: "\(path)/\(number)") }
    }
    #expect(first.record.content.files == 9)
    #expect(try FileSystem.names(in: spare) == ["lock"])
    _ = try store.migrate { _ in }
    #expect(try FileSystem.names(in: spare) == ["lock", "reserve-general", "reserve-settling"])
  }

  @Test func `skips a spare directory that is locked`() throws {
    _ = try store.migrate { _ in }
    let before = try inode(spare)
    guard let held = try FileLock.claimExisting("\(spare)/lock") else {
      Issue.record("another process has locked the spare directory")
      return
    }
    let next = try store.workspace()
    #expect(try inode(spare) == before)
    #expect(try inode(next.places.directory) != before)
    next.abandon()
    _ = consume held
  }

  /// A power failure can restore deleted files or lose a part of the files.
  @Test(arguments: ["content/of-the-first.jpg", "journal.json", "reserve-record", "uses.ndjson"])
  func `deletes a spare directory with unexpected entries`(name: String) throws {
    _ = try store.migrate { _ in }
    try FileSystem.makeDirectories(FileSystem.directoryName("\(spare)/\(name)"))
    try write("of the first", to: "\(spare)/\(name)")
    let next = try store.workspace()
    let texts = try TemporaryStore.tree(next.places.directory)
    #expect(texts.values.allSatisfy { !$0.contains("of the first") })
    #expect(try FileSystem.status(spare) == nil)
    #expect(try FileSystem.names(in: next.places.contentDirectory) == [])
    next.abandon()
    #expect(try store.leftovers() == [])
  }

  @Test(arguments: ["lock", "reserve-general", "reserve-settling"])
  func `deletes a spare directory whose files are symbolic links`(name: String) throws {
    _ = try store.migrate { _ in }
    try FileSystem.unlink("\(spare)/\(name)")
    let target = "\(store.outside)/\(name)"
    try write("somebody's", to: target)
    try FileSystem.makeSymbolicLink("\(spare)/\(name)", to: target)
    let next = try store.workspace()
    for name in try FileSystem.names(in: next.places.directory) {
      #expect(try FileSystem.status("\(next.places.directory)/\(name)")?.kind != .symbolicLink)
    }
    #expect(try FileSystem.contents(target) == Array("somebody's".utf8))
    next.abandon()
    #expect(try FileSystem.contents(target) == Array("somebody's".utf8))
  }

  @Test func `removes a symbolic link in place of the spare directory and keeps its target`() throws {
    _ = try store.migrate { _ in }
    let target = "\(store.outside)/spare"
    try FileSystem.rename(spare, to: target, .noReplace)
    try FileSystem.makeSymbolicLink(spare, to: target)
    let before = try FileSystem.names(in: target)
    let next = try store.workspace()
    #expect(try FileSystem.status(next.places.directory)?.kind == .directory)
    #expect(try FileSystem.status(spare) == nil)
    #expect(try FileSystem.names(in: target) == before)
    next.abandon()
  }

  @Test func `replaces a spare directory without a lock`() throws {
    _ = try store.migrate { _ in }
    try FileSystem.unlink("\(spare)/lock")
    try store.workspace().abandon()
    #expect(try FileSystem.status(spare) == nil)
    _ = try store.migrate { _ in }
    #expect(try FileSystem.names(in: spare).contains("lock"))
  }

  @Test func `a full recovery removes the reserve of an earlier version`() throws {
    let earlier = "\(store.root.path)/reserve"
    try write("", to: earlier)
    _ = try Recovery.run(in: store.root, trash: .partial)
    #expect(try FileSystem.status(earlier) != nil)
    _ = try Recovery.run(in: store.root)
    #expect(try FileSystem.status(earlier) == nil)
  }

  @Test func `keeps one spare directory for any number of sessions`() throws {
    let first = try store.workspace()
    let second = try store.workspace()
    let drafts = (store.draft(first), store.draft(second))
    _ = try Migration(first, draft: drafts.0).run()
    let kept = try inode(spare)
    _ = try Migration(second, draft: drafts.1).run()
    #expect(try inode(spare) == kept)
    #expect(try store.leftovers() == [])
  }

  /// After a power failure, a directory can have the name of the last session if the next one had not
  /// started. If the next one had started, recovery must not delete its content as that of the last session.
  @Test(arguments: [false, true], [false, true])
  func `recovery deletes nothing if the journal belongs to another session`(isBuried: Bool, hasContent: Bool)
    throws
  {
    let session: SessionPaths
    do {
      let running = try store.workspace()
      if hasContent { try write("captured", to: "\(running.places.contentDirectory)/photo") }
      session = running.places
      _ = consume running
    }
    let other = store.root.session(.random())
    let name = isBuried ? other.trashedDirectory : other.directory
    try FileSystem.rename(session.directory, to: name, .noReplace)
    let summary = try Recovery.run(in: store.root)
    #expect(summary.isClean == !hasContent)
    if hasContent {
      // The conflict that the user has to resolve is reported.
      guard case .damaged(let error) = summary.sessions.first?.finding else {
        Issue.record("nothing was found")
        return
      }
      #expect("\(error)".contains("\(name)/journal.json") && "\(error)".contains("\(other.id)"))
      #expect(try FileSystem.contents("\(name)/content/photo") == Array("captured".utf8))
    }
    let left = try store.leftovers()
    #expect(left.isEmpty == !hasContent)
  }
}
