// SPDX-License-Identifier: Apache-2.0

import CLinux
import ExtensionProtocol
import LinuxPrimitives
import SessionStore
import TestSupport
import Testing

/// Content on another file system than its app: it is copied, and published only when complete.
@Suite(.timeLimit(.minutes(20))) struct CrossFileSystemMigrationTests {
  let store: TemporaryStore
  /// The directory of the app container, which is removed with this value.
  private let memoryDirectory: MemoryDirectory

  /// A directory on a memory file system.
  private final class MemoryDirectory {
    let path = "/dev/shm/darkroom-\(Randomness.hexadecimal(bytes: 8))"
    init() throws { try FileSystem.makeDirectory(path) }
    deinit { try? FileSystem.removeTree(path) }
  }

  /// Moves the app container to another file system.
  init() throws {
    store = try TemporaryStore()
    memoryDirectory = try MemoryDirectory()
    let devices = try [memoryDirectory.path, store.outside].map { try FileSystem.status($0)?.device }
    try #require(devices[0] != devices[1])
    try FileSystem.removeTree(store.app.containerDirectory)
    succeed(symlink(memoryDirectory.path, store.app.containerDirectory), "symlink")
  }

  private static let whole = ["file": "whole", "d/e/inner": "inside", "d/e/%2Dx": "renamed"]

  private func fill(_ content: String) throws {
    try FileSystem.makeDirectories("\(content)/d/e")
    try write("whole", to: "\(content)/file", mode: 0o4755)
    try write("inside", to: "\(content)/d/e/inner")
    try write("renamed", to: "\(content)/d/e/-x")
    succeed(symlink("/etc/shadow", "\(content)/link"), "symlink")
    try FileSystem.open("\(content)/file", .readWrite).setTimes(
      accessed: 5_000_000_000,
      modified: 7_000_000_000
    )
  }

  /// Performs all steps before `last` and then stops like a killed host.
  private func interrupt(before last: MigrationStep) throws -> SessionPaths {
    let workspace = try store.workspace()
    let places = workspace.places
    try fill(places.contentDirectory)
    let draft = store.draft(workspace)
    let migration = Migration(workspace, draft: draft)
    for step in MigrationStep.allCases.prefix(while: { $0 != last }) { try migration.perform(step) }
    return places
  }

  /// Recovers, and expects that the content is delivered once with its record and that nothing else is left.
  private func expectDelivered(times: Int = 1, isClean: Bool = true) throws {
    let summary = try Recovery.run(in: store.root)
    #expect(summary.isClean == isClean, "\(summary)")
    let delivered = try DeliveredContent(store.app).list()
    #expect(
      try delivered.map { try TemporaryStore.tree($0.path) } == Array(repeating: Self.whole, count: times)
    )
    for session in delivered {
      #expect(session.record?.files.map(\.path) == ["file", "d/e/%2Dx", "d/e/inner"])
      let renames = session.record?.sanitized.filter { $0.change == .renamed }
      #expect(renames == [.init(path: "d/e/%2Dx", change: .renamed, from: "-x")])
      #expect(session.record?.quarantined == [.init(path: "link", reason: .symbolicLink)])
      let status = try #require(try FileSystem.status("\(session.path)/file"))
      #expect(status.modified == 7_000_000_000)
      #expect(status.permissions == 0o600)
      #expect(try FileSystem.status("\(session.path)/d/e")?.permissions == 0o700)
    }
    #expect(try store.leftovers() == [])
    let inside = ["Activities", "SessionContent", "SessionRecords"]
    let hidden = [".incoming", ".removed"]
    #expect(try FileSystem.names(in: memoryDirectory.path).filter { !hidden.contains($0) } == inside)
    for name in hidden { #expect(try FileSystem.names(in: "\(memoryDirectory.path)/\(name)") == []) }
  }

  @Test func `copies content to a container on another file system and can remove it`() throws {
    let result = try store.migrate(digests: .sha256) { try fill($0) }
    try expectDelivered()
    try DeliveredContent(store.app).invalidate(result.record.sessionID)
    try expectDelivered(times: 0)
  }

  @Test func `copies sparse files without allocating their holes`() throws {
    let result = try store.migrate { content in
      let file = try FileSystem.open("\(content)/sparse", [.write, .create])
      try file.writeAll(Array("begin".utf8))
      try file.truncate(to: 1 << 40)
      try write("", to: "\(content)/hole")
      succeed(truncate("\(content)/hole", 1 << 40), "truncate")
    }
    let path = try #require(result.contentPath)
    #expect(result.record.content.bytes == 2 << 40)
    for name in ["sparse", "hole"] {
      let status = try #require(try FileSystem.status("\(path)/\(name)"))
      #expect(status.size == 1 << 40)
      #expect(status.allocated < 1 << 20)
    }
    #expect(try FileSystem.open("\(path)/sparse", .read).bytes(at: 0, count: 6) == Array("begin\0".utf8))
  }

  @Test func `restarts an interrupted copy`() throws {
    let places = try interrupt(before: .deliver)
    let incoming = "\(store.app.incomingDirectory)/\(places.id)"
    try FileSystem.makeDirectories("\(incoming)/d/e")
    try write("half", to: "\(incoming)/d/e/inner")
    try write("strange", to: "\(incoming)/strange")
    #expect(try DeliveredContent(store.app).list().isEmpty)
    try expectDelivered()
  }

  /// Copies the content and creates the mark, like the step that delivers.
  private func copy(_ places: SessionPaths, to target: String) throws {
    try FileSystem.makeDirectories(store.app.incomingDirectory)
    try runShell("cp -a '\(places.contentDirectory)' '\(target)'")
    try write("", to: places.copiedMark)
  }

  @Test func `publishes a complete copy without copying the content again`() throws {
    let places = try interrupt(before: .deliver)
    try copy(places, to: "\(store.app.incomingDirectory)/\(places.id)")
    // Content that was copied completely is not read again.
    try write("changed", to: "\(places.contentDirectory)/file")
    try expectDelivered()
  }

  @Test(arguments: [true, false])
  func `does not publish a copy twice`(_ isRemoved: Bool) throws {
    let places = try interrupt(before: .deliver)
    try copy(places, to: store.app.content(places.id))
    if isRemoved {
      // The app has taken the content and removed the record.
      try DeliveredContent(store.app).invalidate(places.id)
      try FileSystem.unlink(store.app.record(places.id))
    }
    try expectDelivered(times: isRemoved ? 0 : 1)
  }

  @Test func `loses nothing if the container has no space for the copy`() throws {
    try #require(CurrentProcess.effectiveUserID == 0)
    try runShell("mount -t tmpfs -o size=1m,mode=700 tmpfs '\(memoryDirectory.path)'")
    defer { try? runShell("umount '\(memoryDirectory.path)'") }
    let workspace = try store.workspace()
    let places = workspace.places
    try fill(places.contentDirectory)
    let big = [UInt8](repeating: 1, count: 2 << 20)
    try FileSystem.open("\(places.contentDirectory)/big", [.write, .create]).writeAll(big)
    let draft = store.draft(workspace)
    do {
      _ = try Migration(workspace, draft: draft).run()
      Issue.record("two megabytes fit one")
    } catch { #expect(error == .noSpace(path: store.app.incomingDirectory)) }
    #expect(try DeliveredContent(store.app).list().isEmpty)
    #expect(try FileSystem.names(in: store.app.incomingDirectory) == [])
    try runShell("mount -o remount,size=8m '\(memoryDirectory.path)'")
    #expect(try Recovery.run(in: store.root).isClean)
    let delivered = try #require(try DeliveredContent(store.app).list().first)
    #expect(try FileSystem.contents("\(delivered.path)/big") == big)
    #expect(try store.leftovers() == [])
  }

  private static let delivery = AppDelivery(
    id: "5b0f3b0e-6a0c-4f0b-9c53-0c0e8b2f7a11",
    reason: .captureExtension,
    activity: UserActivity(activityType: "org.example.edit"),
    createdAt: 1_750_000_000_000
  )

  @Test func `notifies an app whose container is on another file system`() throws {
    let workspace = try store.workspace()
    try PendingDelivery.write(Self.delivery, in: workspace.places)
    try write("x", to: "\(workspace.places.contentDirectory)/x")
    let draft = store.draft(workspace)
    let result = try Migration(workspace, draft: draft).run()
    #expect(result.delivery == Self.delivery)
    #expect(try FileSystem.names(in: store.app.activitiesDirectory) == [Self.delivery.fileName])
    #expect(try store.leftovers() == [])
  }

  /// The last action of a host that dies while it notifies the app.
  enum NotificationStage: CaseIterable, Sendable { case copied, staged, notified }

  @Test(arguments: NotificationStage.allCases)
  func `notifies an app on another file system once if the host dies during the notification`(
    _ last: NotificationStage
  ) throws {
    let places = try interrupt(before: .notify)
    try PendingDelivery.write(Self.delivery, in: places)
    try FileSystem.makeDirectories(store.app.incomingDirectory)
    let incoming = "\(store.app.incomingDirectory)/\(places.id).json"
    try runShell("cp '\(places.deliveryFile)' '\(incoming)'")
    if last != .copied {
      try FileSystem.rename(places.deliveryFile, to: places.stagedDeliveryFile, .noReplace)
    }
    // The app was notified and has read the delivery.
    if last == .notified { try FileSystem.unlink(incoming) }
    try expectDelivered()
    #expect(
      try FileSystem.names(in: store.app.activitiesDirectory)
        == (last == .notified ? [] : [Self.delivery.fileName])
    )
  }
}
