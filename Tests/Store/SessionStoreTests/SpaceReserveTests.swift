// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import SessionStore
import Testing

/// Migrations on full file systems.
@Suite(.timeLimit(.minutes(20))) struct SpaceReserveTests {
  /// A kind of file system.
  enum Kind: String, CaseIterable {
    /// A tmpfs.
    case memory
    /// An ext4 image on a loop device.
    case ext4
  }

  /// Runs a test on a small mounted file system. Prints a SKIP line and returns unless the test runs as root.
  private func withFileSystem(_ kind: Kind, _ body: (String) throws -> Void) throws {
    guard CurrentProcess.effectiveUserID == 0 else {
      print("SKIP: only root can mount a file system")
      return
    }
    let directory = "/tmp/darkroom-full-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories("\(directory)/mount")
    defer { try? FileSystem.removeTree(directory) }
    let options = "size=24m,nr_inodes=6000"
    switch kind {
    case .memory: try run("mount", "-t", "tmpfs", "-o", options, "none", "\(directory)/mount")
    case .ext4:
      try run("truncate", "-s", "32M", "\(directory)/image")
      try run("mkfs.ext4", "-q", "-m", "0", "-N", "6000", "\(directory)/image")
      try run("mount", "-o", "loop", "\(directory)/image", "\(directory)/mount")
    }
    // A process that another test has just created can have a file open on the mount for a moment.
    defer { try? run("umount", "--lazy", "\(directory)/mount") }
    try body("\(directory)/mount/root")
  }

  private func run(_ arguments: String...) throws {
    let nowhere = try FileSystem.open("/dev/null", .readWrite)
    let process = try DetachedProgram(
      path: "/usr/bin/env",
      arguments: ["env"] + arguments,
      environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"],
      directory: "/"
    ).start(output: nowhere)
    try #require(try process.reap() == .exited(0), "\(arguments)")
  }

  /// Allocates every block and every inode.
  private func exhaust(_ directory: String) throws {
    try FileSystem.makeDirectories(directory)
    let block = [UInt8](repeating: 7, count: 4096)
    for number in 0... {
      guard let file = try? FileSystem.open("\(directory)/\(number)", [.write, .create]) else { break }
      if number < 4 { while (try? file.writeAll(block)) != nil {} }
    }
    // If inodes ran out first, blocks may be left.
    let rest = try FileSystem.open("\(directory)/0", [.write, .append])
    while (try? rest.writeAll([1])) != nil {}
  }

  @Test(arguments: Kind.allCases)
  func `migrates a session without any free block or inode`(_ kind: Kind) throws {
    try withFileSystem(kind) { path in
      let root = StateRoot(path: path)
      try root.prepare()
      let app = try root.app("org.example.camera")
      let workspace = try SessionWorkspace.prepare(for: app, extensionID: "org.example.camera.capture")
      let (id, places) = (workspace.id, workspace.places)
      for number in 0..<3000 {
        let name = "\(places.contentDirectory)/a picture with a name of some length, \(number).jpeg"
        _ = try FileSystem.open(name, [.write, .create], mode: 0o4644)
      }
      // Quarantined items also need space: for a directory and for a line in the list.
      let (links, target) = (Int64(20), "/etc/hostname")
      for number in 0..<links {
        try FileSystem.makeSymbolicLink("\(places.contentDirectory)/link \(number)", to: target)
      }
      try SpaceReserve(places).grow(for: ContentMeter.measure(places.contentDirectory))
      try exhaust("\(places.contentDirectory)/rest")
      let made = try ContentMeter.measure(places.contentDirectory)
      let draft = draft(workspace, app)
      let result = try Migration(workspace, draft: draft).run()
      #expect(result.record.content.files == made.files - links)
      #expect(result.record.quarantined.count == Int(links))
      #expect(Int64(result.record.files.count) == made.files - links)
      #expect(result.logFault == nil)
      let delivered = try DeliveredContent(app).list()
      #expect(delivered.map(\.id) == [id])
      #expect(try FileSystem.names(in: root.sessionsDirectory) == [])
      let bytes = made.apparentBytes - links * Int64(target.utf8.count)
      #expect(try ContentMeter.measure(app.content(id)).apparentBytes == bytes)
    }
  }

  /// The record releases the rest of its reserve, which another process may allocate first.
  @Test(arguments: Kind.allCases)
  func `logs a session if another process takes the space that the record released`(_ kind: Kind) throws {
    try withFileSystem(kind) { path in
      let root = StateRoot(path: path)
      try root.prepare()
      let app = try root.app("org.example.camera")
      // Appends entries until the next one needs a new block of the log.
      var (before, size) = (Int64(0), Int64(0))
      repeat {
        let other = try SessionWorkspace.prepare(for: app, extensionID: "org.example.camera.capture")
        let draft = draft(other, app)
        _ = try Migration(other, draft: draft).run()
        (before, size) = (size, try #require(try FileSystem.status(root.logFile)).size)
      } while 4096 - size % 4096 >= size - before
      let workspace = try SessionWorkspace.prepare(for: app, extensionID: "org.example.camera.capture")
      let (id, ended) = (workspace.id, draft(workspace, app))
      try FileSystem.open("\(workspace.places.contentDirectory)/a", [.write, .create]).writeAll([1, 2, 3])
      let migration = Migration(workspace, draft: ended)
      for step in MigrationStep.allCases {
        if step == .log { try exhaust("\(path)/other") }
        try migration.perform(step)
      }
      #expect(migration.result.logFault == nil)
      #expect(try DeliveredContent(app).list().map(\.id) == [id])
      #expect(try FileSystem.names(in: root.sessionsDirectory) == [])
    }
  }

  private func draft(_ workspace: borrowing SessionWorkspace, _ app: AppStore) -> SessionRecord {
    SessionRecord(
      sessionID: workspace.id,
      app: app.id,
      extensionID: workspace.extensionID,
      startedAt: workspace.startedAt,
      endedAt: workspace.startedAt,
      outcome: .completed(exitCode: 0)
    )
  }

  @Test func `the reserve does not use space that has to stay free`() throws {
    try withFileSystem(.memory) { path in
      let root = StateRoot(path: path)
      try root.prepare()
      let workspace = try SessionWorkspace.prepare(
        for: root.app("org.example.camera"),
        extensionID: "org.example.camera.capture"
      )
      let directory = workspace.places.contentDirectory
      let deep =
        "\(directory)/"
        + Array(repeating: String(repeating: "d", count: 200), count: 10).joined(separator: "/")
      try FileSystem.makeDirectories(deep)
      for number in 0..<2000 { _ = try FileSystem.open("\(deep)/\(number)", [.write, .create]) }
      let usage = try ContentMeter.measure(directory)
      let free = Int64(try FileSystem.freeSpace(path))
      let reserve = SpaceReserve(workspace.places)
      do {
        try reserve.grow(for: usage, keeping: free - 65536)
        Issue.record("the reserve was taken from what is to stay free")
      } catch StoreError.reserveReached(_, let left, let kept) {
        #expect(left <= free && kept == free - 65536)
      }
      #expect(Int64(try FileSystem.freeSpace(path)) >= free - 65536)
      try reserve.grow(for: usage, keeping: 65536)
      #expect(Int64(try FileSystem.freeSpace(path)) < free - 65536)
    }
  }

  @Test(arguments: [(10, false), (1000, true)])
  func `the final reserve is as large as the content requires`(_ files: Int, _ grows: Bool) throws {
    let store = try TemporaryStore()
    let workspace = try store.workspace()
    let places = workspace.places
    for number in 0..<files { try write("", to: "\(places.contentDirectory)/\(number)") }
    let usage = try ContentMeter.measure(places.contentDirectory)
    func reservedBytes() throws -> Int64 { try Self.reservedBytes(places) }
    let before = try reservedBytes()
    try SpaceReserve(places).grow(for: usage, isFinal: true)
    let exact = try reservedBytes()
    #expect((exact > before) == grows)
    try SpaceReserve(places).grow(for: usage)
    #expect(try reservedBytes() > exact)
    let draft = store.draft(workspace)
    #expect(try Migration(workspace, draft: draft).run().record.content.files == files)
  }

  /// Returns the bytes that are allocated to the reserve files of a session, except those for journals of
  /// later sessions.
  private static func reservedBytes(_ places: SessionPaths) throws -> Int64 {
    try FileSystem.names(in: places.directory)
      .filter { $0.hasPrefix("reserve-") && $0 != "reserve-settling" && $0 != "reserve-journal" }
      .reduce(0) { $0 + (try FileSystem.status("\(places.directory)/\($1)")?.allocated ?? 0) }
  }

  @Test func `the next session reuses the reserve of the last one`() throws {
    let store = try TemporaryStore()
    let spare = "\(store.root.spareDirectory)/reserve-general"
    #expect(try FileSystem.status(spare) == nil)
    _ = try store.migrate { try write("a", to: "\($0)/a") }
    let kept = try #require(try FileSystem.status(spare))
    #expect(kept.allocated >= 128 << 10 && kept.links == 1)
    // Two concurrent sessions: the first reuses the reserve, the second allocates a new one, and one of the
    // two is kept.
    let first = try store.workspace()
    #expect(try FileSystem.status("\(first.places.directory)/reserve-general")?.inode == kept.inode)
    #expect(try FileSystem.status(spare) == nil)
    let second = try store.workspace()
    #expect(try Self.reservedBytes(first.places) == Self.reservedBytes(second.places))
    let drafts = (store.draft(first), store.draft(second))
    _ = try Migration(second, draft: drafts.1).run()
    let handedOn = try #require(try FileSystem.status(spare))
    _ = try Migration(first, draft: drafts.0).run()
    #expect(try FileSystem.status(spare)?.inode == handedOn.inode)
    #expect(try store.leftovers() == [])
  }

  @Test func `reallocates a reserve without blocks and rejects one with a hard link`() throws {
    let store = try TemporaryStore()
    let directory = store.root.spareDirectory
    func createInvalidSpare() throws {
      try FileSystem.makeDirectory(directory)
      for name in ["lock", "reserve-general"] { try write("", to: "\(directory)/\(name)") }
    }
    try createInvalidSpare()
    let first = try store.workspace()
    #expect(try FileSystem.status(directory) == nil)
    let whole = try Self.reservedBytes(first.places)
    #expect(whole >= 192 << 10)
    first.abandon()
    try createInvalidSpare()
    try write("else", to: "\(store.outside)/other")
    try FileSystem.unlink("\(directory)/reserve-general")
    try #require(link("\(store.outside)/other", "\(directory)/reserve-general") == 0)
    let second = try store.workspace()
    #expect(try Self.reservedBytes(second.places) == whole)
    #expect(try FileSystem.status(directory) == nil)
    #expect(try FileSystem.contents("\(store.outside)/other") == Array("else".utf8))
    second.abandon()
  }

  @Test func `releases a reserve that was grown for many files`() throws {
    let store = try TemporaryStore()
    let workspace = try store.workspace()
    for number in 0..<1000 { try write("", to: "\(workspace.places.contentDirectory)/\(number)") }
    try SpaceReserve(workspace.places).grow(for: ContentMeter.measure(workspace.places.contentDirectory))
    let draft = store.draft(workspace)
    let migration = Migration(workspace, draft: draft)
    // The step `writeOutcome` would overwrite the reserve with the journal, so that no reserve is left to keep.
    for step in MigrationStep.allCases where step != .writeOutcome { try migration.perform(step) }
    #expect(try FileSystem.status("\(store.root.spareDirectory)/reserve-general") == nil)
    #expect(try store.leftovers() == [])
  }

  @Test func `a full disk delays a migration and loses nothing`() throws {
    try withFileSystem(.memory) { path in
      let root = StateRoot(path: path)
      try root.prepare()
      let app = try root.app("org.example.camera")
      do {
        let workspace = try SessionWorkspace.prepare(for: app, extensionID: "org.example.camera.capture")
        for number in 0..<3000 {
          _ = try FileSystem.open("\(workspace.places.contentDirectory)/\(number)", [.write, .create])
        }
        let draft = draft(workspace, app)
        // The reserved space is insufficient for the record of 3,000 files.
        try exhaust("\(path)/other")
        do {
          _ = try Migration(workspace, draft: draft).run()
          Issue.record("the record was written without free space")
        } catch let error as StoreError { #expect("\(error)".contains("ENOSPC")) }
      }
      #expect(try DeliveredContent(app).list().isEmpty)
      try FileSystem.removeTree("\(path)/other")
      let summary = try Recovery.run(in: root)
      #expect(summary.isClean)
      #expect(try DeliveredContent(app).list().map(\.files) == [3000])
    }
  }
}
