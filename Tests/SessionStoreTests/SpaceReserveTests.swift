// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import SessionStore
import Testing

/// Hand-overs on file systems on which nothing is left.
@Suite(.timeLimit(.minutes(20))) struct SpaceReserveTests {
  /// A kind of file system.
  enum Kind: String, CaseIterable {
    /// One in memory.
    case memory
    /// The usual one, in an image.
    case ext4
  }

  /// Runs a test on a small file system of its own, in a mount that only a new process sees; nil: it cannot be made.
  private func withFileSystem(_ kind: Kind, _ body: (String) throws -> Void) throws {
    guard CurrentProcess.effectiveUserID == 0 else {
      print("SKIP: only root can mount a file system")
      return
    }
    let place = "/tmp/darkroom-full-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories("\(place)/mount")
    defer { try? FileSystem.removeTree(place) }
    let options = "size=24m,nr_inodes=6000"
    switch kind {
    case .memory: try run("mount", "-t", "tmpfs", "-o", options, "none", "\(place)/mount")
    case .ext4:
      try run("truncate", "-s", "32M", "\(place)/image")
      try run("mkfs.ext4", "-q", "-m", "0", "-N", "6000", "\(place)/image")
      try run("mount", "-o", "loop", "\(place)/image", "\(place)/mount")
    }
    // A process that another test has just made can have a file there open for a moment.
    defer { try? run("umount", "--lazy", "\(place)/mount") }
    try body("\(place)/mount/root")
  }

  private func run(_ words: String...) throws {
    let nowhere = try FileSystem.open("/dev/null", .readWrite)
    let process = try DetachedProgram(
      path: "/usr/bin/env",
      arguments: ["env"] + words,
      environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"],
      directory: "/"
    ).start(output: nowhere)
    try #require(try process.reap() == .exited(0), "\(words)")
  }

  /// Takes every block and every inode.
  private func exhaust(_ directory: String) throws {
    try FileSystem.makeDirectories(directory)
    let block = [UInt8](repeating: 7, count: 4096)
    for number in 0... {
      guard let file = try? FileSystem.open("\(directory)/\(number)", [.write, .create]) else { break }
      if number < 4 { while (try? file.writeAll(block)) != nil {} }
    }
    // Where inodes were the first to be had no more, blocks may be left.
    let rest = try FileSystem.open("\(directory)/0", [.write, .append])
    while (try? rest.writeAll([1])) != nil {}
  }

  @Test(arguments: Kind.allCases)
  func `a session is handed over when not a block and not an inode is left`(_ kind: Kind) throws {
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
      try SpaceReserve(places).grow(for: ContentMeter.measure(places.contentDirectory))
      try exhaust("\(places.contentDirectory)/rest")
      let made = try ContentMeter.measure(places.contentDirectory)
      let draft = SessionRecord(
        sessionID: id,
        app: app.id,
        extensionID: "org.example.camera.capture",
        startedAt: workspace.startedAt,
        endedAt: workspace.startedAt,
        outcome: .completed(exitCode: 0)
      )
      let result = try HandOver(workspace, draft: draft).run()
      #expect(result.record.content.files == made.files)
      #expect(Int64(result.record.files.count) == made.files)
      #expect(result.logFault == nil)
      let delivered = try DeliveredContent(app).list()
      #expect(delivered.map(\.id) == [id])
      #expect(try FileSystem.names(in: root.sessionsDirectory) == [])
      #expect(try ContentMeter.measure(app.content(id)).apparentBytes == made.apparentBytes)
    }
  }

  @Test func `what is set aside for many names leaves alone what is to stay free`() throws {
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
      } catch StoreError.kept(_, let left, let kept) { #expect(left <= free && kept == free - 65536) }
      #expect(Int64(try FileSystem.freeSpace(path)) >= free - 65536)
      try reserve.grow(for: usage, keeping: 65536)
      #expect(Int64(try FileSystem.freeSpace(path)) < free - 65536)
    }
  }

  @Test(arguments: [(10, false), (1000, true)])
  func `in the end no more is set aside than what is there needs`(_ files: Int, _ grows: Bool) throws {
    let store = try TemporaryStore()
    let workspace = try store.workspace()
    let places = workspace.places
    for number in 0..<files { try write("", to: "\(places.contentDirectory)/\(number)") }
    let usage = try ContentMeter.measure(places.contentDirectory)
    func held() throws -> Int64 { try ContentMeter.measure(places.reserveDirectory).allocatedBytes }
    let before = try held()
    try SpaceReserve(places).grow(for: usage, isAll: true)
    let exact = try held()
    #expect((exact > before) == grows)
    try SpaceReserve(places).grow(for: usage)
    #expect(try held() > exact)
    let draft = store.draft(workspace)
    #expect(try HandOver(workspace, draft: draft).run().record.content.files == files)
  }

  @Test func `what another takes of the disk delays a hand-over, and loses nothing`() throws {
    try withFileSystem(.memory) { path in
      let root = StateRoot(path: path)
      try root.prepare()
      let app = try root.app("org.example.camera")
      let id: SessionID
      do {
        let workspace = try SessionWorkspace.prepare(for: app, extensionID: "org.example.camera.capture")
        id = workspace.id
        for number in 0..<3000 {
          _ = try FileSystem.open("\(workspace.places.contentDirectory)/\(number)", [.write, .create])
        }
        let draft = SessionRecord(
          sessionID: id,
          app: app.id,
          extensionID: "org.example.camera.capture",
          startedAt: workspace.startedAt,
          endedAt: workspace.startedAt,
          outcome: .completed(exitCode: 0)
        )
        // Nothing was set aside for so many files.
        try exhaust("\(path)/other")
        do {
          _ = try HandOver(workspace, draft: draft).run()
          Issue.record("there was space for the record")
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
