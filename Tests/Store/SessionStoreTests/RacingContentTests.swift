// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import SessionStore
import Synchronization
import Testing

/// A process with the extension's UID that outlived the session, has its directories open, and changes the
/// content while the host verifies it. The sandbox does not leave such a process, but it should gain nothing.
@Suite(
  .timeLimit(.minutes(20)),
  .enabled(if: CurrentProcess.effectiveUserID == 0, "only root can change its UID")
) struct RacingContentTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private static let user: UInt32 = 65534
  private static let pairs = 100

  /// A thread with the extension's UID that exchanges names as fast as it can.
  private final class Racer: Sendable {
    private let isStopped = Mutex(false)
    private let directories: [Int32]
    let exchanges = Mutex(0)

    /// Names that are exchanged: files and directories with links to the secret.
    private static let pairs: [(one: [CChar], other: [CChar])] = (0..<RacingContentTests.pairs).flatMap {
      index in
      [("file\(index)", "link\(index)"), ("directory\(index)", "way\(index)")].map {
        (Array($0.0.utf8CString), Array($0.1.utf8CString))
      }
    }

    /// Opens the directories whose entries are exchanged.
    init(_ paths: [String]) throws {
      directories = try paths.map { try FileSystem.open($0, [.directory]).release() }
    }

    deinit { for raw in directories { close(raw) } }

    func start() throws -> PlainThread {
      try PlainThread.start(name: "racer") {
        // Affects this thread only (setfsuid(2)).
        _ = setFileSystemUserID(user)
        while !self.isStopped.withLock({ $0 }) { self.exchange() }
      }
    }

    func stop() { isStopped.withLock { $0 = true } }

    private func exchange() {
      var done = 0
      for (index, raw) in directories.enumerated() {
        for pair in Self.pairs
        where renameat2(raw, pair.one, raw, pair.other, UInt32(RENAME_EXCHANGE)) == 0 { done += 1 }
        // Exchanges entries of two directories.
        let next = directories[(index + 1) % directories.count]
        _ = renameat2(raw, "directory0", next, "link0", UInt32(RENAME_EXCHANGE))
      }
      exchanges.withLock { $0 += done }
    }
  }

  /// Fills the content with directories of the extension's user, and returns their paths.
  private func fill(_ content: String) throws -> [String] {
    var directories: [String] = []
    for index in 0..<4 {
      let path = "\(content)/\(index)"
      try FileSystem.makeDirectory(path)
      for pair in 0..<Self.pairs {
        try FileSystem.makeDirectory("\(path)/directory\(pair)")
        try write("data", to: "\(path)/file\(pair)")
        succeed(symlink("\(store.outside)/inner", "\(path)/link\(pair)"), "symlink")
        succeed(symlink(store.outside, "\(path)/way\(pair)"), "symlink")
        for each in ["directory\(pair)", "file\(pair)"] {
          succeed(chown("\(path)/\(each)", Self.user, Self.user), "chown")
        }
      }
      succeed(chown(path, Self.user, Self.user), "chown")
      directories.append(path)
    }
    succeed(chown(content, Self.user, Self.user), "chown")
    return directories
  }

  /// Expects only regular files and directories with sanitized permissions below a path.
  private func expectRegularFiles(_ path: String) throws {
    for name in try FileSystem.names(in: path) {
      let status = try #require(try FileSystem.status("\(path)/\(name)"))
      #expect(status.owner == 0)
      if status.kind == .directory {
        #expect(status.permissions == 0o700)
        try expectRegularFiles("\(path)/\(name)")
      } else {
        #expect(status.kind == .regular && status.permissions == 0o600, "\(path)/\(name): \(status)")
      }
    }
  }

  @Test func `a racing process that swaps directories, files and links gains nothing`() throws {
    try write("secret", to: "\(store.outside)/inner", mode: 0o640)
    succeed(chmod("\(store.outside)/inner", 0o4640), "chmod")
    succeed(chmod(store.outside, 0o755), "chmod")
    var exchanges = 0
    for _ in 0..<5 {
      let workspace = try store.workspace()
      let racer = try Racer(try fill(workspace.places.contentDirectory))
      let thread = try racer.start()
      MonotonicClock.sleep(milliseconds: 2)
      let draft = store.draft(workspace)
      do { _ = try Migration(workspace, draft: draft).run() } catch {
        // The migration may fail during the race; in that case nothing has been delivered.
        guard case .changedDuringWalk = error else { throw error }
      }
      racer.stop()
      thread.join()
      exchanges += racer.exchanges.withLock { $0 }
      #expect(try Recovery.run(in: store.root).isClean)
      let delivered = try DeliveredContent(store.app).list()
      #expect(delivered.count == 1)
      for session in delivered {
        try expectRegularFiles(session.path)
        let record = try #require(session.record)
        #expect(record.files.count == Int(session.files))
        #expect(try TemporaryStore.tree(session.path).count == record.files.count)
        #expect(!(try TemporaryStore.tree(session.path).values.contains("secret")))
        try DeliveredContent(store.app).invalidate(session.id)
      }
      let secret = try #require(try FileSystem.status("\(store.outside)/inner"))
      #expect(secret.permissions == 0o4640)
      #expect(try FileSystem.contents("\(store.outside)/inner") == Array("secret".utf8))
      #expect(try FileSystem.status(store.outside)?.permissions == 0o755)
    }
    // Proves that exchanges happened during the verification.
    #expect(exchanges > 1000)
  }
}

/// Sets the UID of the calling thread for file access (setfsuid(2)); no module contains its header.
@_silgen_name("setfsuid") private func setFileSystemUserID(_ user: UInt32) -> Int32
