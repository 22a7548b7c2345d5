// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import TestSupport
import Testing

@testable import SessionStore

@Suite struct SessionWorkspaceTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test func `a session has an empty content directory, space for its end and a durable journal`() throws {
    let workspace = try store.workspace()
    let places = workspace.places
    #expect(
      try FileSystem.names(in: places.directory) == [
        "content", "journal.json", "library", "lock", "reserve-general", "reserve-record",
      ]
    )
    let set = try ["reserve-general", "reserve-record"].map {
      try FileSystem.status("\(places.directory)/\($0)")?.allocated ?? 0
    }
    #expect(set.reduce(0, +) >= 192 << 10)
    #expect(try FileSystem.status(places.contentDirectory)?.permissions == 0o700)
    #expect(try FileSystem.names(in: places.contentDirectory) == [])
    try workspace.places.openLog().writeAll(Array("a".utf8))
    try workspace.places.openLog().writeAll(Array("b".utf8))
    #expect(try FileSystem.contents(places.logFile) == Array("ab".utf8))
  }

  private func workspaceWhoseJournalIsWritten() throws -> SessionWorkspace {
    try SessionWorkspace.prepare(
      for: store.app,
      extensionID: "org.example.camera.capture",
      durability: .later
    )
  }

  @Test func `a journal that is written beside something else is there when it was waited for`() throws {
    let workspace = try workspaceWhoseJournalIsWritten()
    let writing = workspace.writing
    try #require(writing).wait()
    #expect(try FileSystem.status(workspace.places.journalFile)?.kind == .regular)
    // A second wait returns immediately.
    try #require(writing).wait()
    let id = workspace.id
    #expect(try LiveSessions.list(in: store.root).map(\.id) == [id])
  }

  @Test(arguments: 0..<20)
  func `nobody gets the lock of a session whose journal is still written`(time: Int) throws {
    let places = try workspaceWhoseJournalIsWritten().places
    #expect(
      try FileSystem.names(in: places.directory) == [
        "content", "journal.json", "library", "lock", "reserve-general", "reserve-record",
      ]
    )
    #expect(try Recovery.run(in: store.root).isClean)
    #expect(try store.leftovers() == [])
  }

  @Test(arguments: 0..<20) func `a session that is abandoned while its journal is written leaves nothing`(
    time: Int
  ) throws {
    try workspaceWhoseJournalIsWritten().abandon()
    #expect(try store.leftovers() == [])
  }

  @Test func `that a journal cannot be written is said to who waits for it`() throws {
    let workspace = try workspaceWhoseJournalIsWritten()
    let writing = workspace.writing
    try #require(writing).wait()
    let places = store.root.session(.random())
    let other = JournalWriting.first(
      Journal(sessionID: places.id, app: "a", extensionID: "b", startedAt: 0, hostProcess: 1),
      places
    )
    for _ in 0..<2 { #expect(throws: StoreError.self) { try other.wait() } }
  }

  @Test(.enabled(if: CurrentProcess.effectiveUserID == 0, "only root can give a directory away"))
  func `the content directory belongs to the extension, the session's own does not`() throws {
    let workspace = try SessionWorkspace.prepare(
      for: store.app,
      extensionID: "org.example.camera.capture",
      contentOwner: ContentOwner(user: 65534, group: 65533)
    )
    let content = try FileSystem.status(workspace.places.contentDirectory)
    #expect(content?.owner == 65534)
    #expect(content?.group == 65533)
    #expect(try FileSystem.status(workspace.places.directory)?.owner == 0)
  }

  @Test func `a session is listed with its host as long as that holds it`() throws {
    let id: SessionID
    do {
      let workspace = try store.workspace()
      id = workspace.id
      let live = try LiveSessions.list(in: store.root)
      #expect(live.map(\.id) == [id])
      #expect(live.first?.app == store.app.id)
      #expect(live.first?.extensionID == "org.example.camera.capture")
      #expect(live.first?.hostProcess == getpid())
      #expect(live.first?.startedAt == workspace.startedAt)
    }
    #expect(try LiveSessions.list(in: store.root) == [])
    // The session is not live, but its directory still exists.
    #expect(try FileSystem.names(in: store.root.sessionsDirectory) == [id.description])
  }

  @Test func `a container whose parts are on two file systems is refused, and nothing stays behind`() throws {
    let elsewhere = "/dev/shm/darkroom-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(elsewhere)
    defer { try? FileSystem.removeTree(elsewhere) }
    let devices = try [elsewhere, store.outside].map { try FileSystem.status($0)?.device }
    try #require(devices[0] != devices[1])
    try FileSystem.removeTree(store.app.contentDirectory)
    succeed(symlink(elsewhere, store.app.contentDirectory), "symlink")
    #expect(
      throws: StoreError.twoFileSystems(store.app.containerDirectory, store.app.contentDirectory)
    ) {
      _ = try store.workspace().id
    }
    #expect(try store.leftovers() == [])
  }
}
