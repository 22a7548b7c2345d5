// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import TestSupport
import Testing

@testable import SessionStore

@Suite struct SessionWorkspaceTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test func `a session has an empty content directory, reserved space and a durable journal`() throws {
    let workspace = try store.workspace()
    let places = workspace.places
    #expect(
      try FileSystem.names(in: places.directory) == [
        "content", "journal.json", "library", "lock", "reserve-general", "reserve-record",
      ]
    )
    let reserveSizes = try ["reserve-general", "reserve-record"].map {
      try FileSystem.status("\(places.directory)/\($0)")?.allocated ?? 0
    }
    #expect(reserveSizes.reduce(0, +) >= 192 << 10)
    #expect(try FileSystem.status(places.contentDirectory)?.permissions == 0o700)
    #expect(try FileSystem.names(in: places.contentDirectory) == [])
    try workspace.places.openLog().writeAll(Array("a".utf8))
    try workspace.places.openLog().writeAll(Array("b".utf8))
    #expect(try FileSystem.contents(places.logFile) == Array("ab".utf8))
  }

  private func workspaceWithPendingJournal() throws -> SessionWorkspace {
    try SessionWorkspace.prepare(
      for: store.app,
      extensionID: "org.example.camera.capture",
      durability: .later
    )
  }

  @Test func `a journal that is written asynchronously exists after waiting`() throws {
    let workspace = try workspaceWithPendingJournal()
    let writing = workspace.writing
    try #require(writing).wait()
    #expect(try FileSystem.status(workspace.places.journalFile)?.kind == .regular)
    // A second wait returns immediately.
    try #require(writing).wait()
    let id = workspace.id
    #expect(try LiveSessions.list(in: store.root).map(\.id) == [id])
  }

  @Test(arguments: 0..<20)
  func `recovery cannot lock a session whose journal is being written`(iteration: Int) throws {
    let places = try workspaceWithPendingJournal().places
    #expect(
      try FileSystem.names(in: places.directory) == [
        "content", "journal.json", "library", "lock", "reserve-general", "reserve-record",
      ]
    )
    #expect(try Recovery.run(in: store.root).isClean)
    #expect(try store.leftovers() == [])
  }

  @Test(arguments: 0..<20) func `abandoning a session whose journal is being written leaves nothing`(
    iteration: Int
  ) throws {
    try workspaceWithPendingJournal().abandon()
    #expect(try store.leftovers() == [])
  }

  @Test func `waiting reports a journal that cannot be written`() throws {
    let workspace = try workspaceWithPendingJournal()
    let writing = workspace.writing
    try #require(writing).wait()
    let places = store.root.session(.random())
    let other = JournalWrite.first(
      Journal(sessionID: places.id, app: "a", extensionID: "b", startedAt: 0, hostProcess: 1),
      places
    )
    for _ in 0..<2 { #expect(throws: StoreError.self) { try other.wait() } }
  }

  @Test(.enabled(if: CurrentProcess.effectiveUserID == 0, "only root can give a directory away"))
  func `the extension owns the content directory but not the session directory`() throws {
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

  @Test func `lists a session with its host while the host holds the session's lock`() throws {
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

  @Test func `refuses a container on two file systems and leaves nothing behind`() throws {
    let otherFileSystem = "/dev/shm/darkroom-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(otherFileSystem)
    defer { try? FileSystem.removeTree(otherFileSystem) }
    let devices = try [otherFileSystem, store.outside].map { try FileSystem.status($0)?.device }
    try #require(devices[0] != devices[1])
    try FileSystem.removeTree(store.app.contentDirectory)
    succeed(symlink(otherFileSystem, store.app.contentDirectory), "symlink")
    #expect(
      throws: StoreError.differentFileSystems(store.app.containerDirectory, store.app.contentDirectory)
    ) {
      _ = try store.workspace().id
    }
    #expect(try store.leftovers() == [])
  }
}
