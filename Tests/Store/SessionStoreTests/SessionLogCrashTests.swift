// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import SessionStore
import Testing

/// Crashes between two log entries or inside an entry, and logs that cannot be written.
@Suite struct SessionLogCrashTests {
  let store: TemporaryStore
  let log: SessionLog

  init() throws {
    store = try TemporaryStore()
    log = SessionLog(store.root)
  }

  @discardableResult
  private func session() throws -> SessionID {
    try store.migrate { try write("x", to: "\($0)/capture") }.record.sessionID
  }

  private func kinds() throws -> [LogNote.Kind] {
    var kinds: [LogNote.Kind] = []
    try log.forEachFromNewest { result in
      if case .success(let entry) = result { kinds.append(entry.note.kind) }
      return .more
    }
    return kinds.reversed()
  }

  private func bytes() throws -> [UInt8] {
    try #require(try FileSystem.contents(store.root.logFile, limit: 1 << 24))
  }

  /// Appends a partial line to the log.
  private func appendTornLine(_ torn: [UInt8]) throws {
    try FileSystem.open(store.root.logFile, [.write, .append]).writeAll(torn)
  }

  @Test(arguments: 0...MigrationStep.allCases.count)
  func `logs the session once if the host dies at any step`(_ count: Int) throws {
    try session()
    let workspace = try store.workspace()
    try write("whole", to: "\(workspace.places.contentDirectory)/capture")
    let id = workspace.id
    let draft = store.draft(workspace)
    let migration = Migration(workspace, draft: draft)
    for step in MigrationStep.allCases.prefix(count) { try migration.perform(step) }
    _ = consume migration
    _ = try Recovery.run(in: store.root)
    _ = try Recovery.run(in: store.root)
    try session()
    let isLogged = count > (MigrationStep.allCases.firstIndex(of: .log) ?? 0)
    #expect(try kinds() == [.ended, isLogged ? .ended : .recovered, .ended])
    #expect(try log.entry(.sequence(2))?.note.session?.id == id)
    #expect(try log.verify().isValid)
  }

  @Test(arguments: [1, 40, 300])
  func `quarantines a torn line and logs the repair`(_ length: Int) throws {
    try session()
    let whole = try bytes()
    let torn = Array(whole.prefix(length))
    try appendTornLine(torn)
    #expect(try log.verify().torn == Int64(length))
    #expect(try log.verify().isValid)
    try session()
    #expect(try kinds() == [.ended, .repaired, .ended])
    #expect(try bytes().prefix(whole.count) == whole[...])
    let quarantined = try #require(try log.entry(.sequence(2))?.note.quarantined.first)
    #expect(quarantined.bytes == Int64(length))
    #expect(try FileSystem.contents("\(store.root.logQuarantineDirectory)/\(quarantined.file)") == torn)
    let result = try log.verify()
    #expect(result.isValid)
    #expect(result.repairs == [2])
    // The next session finds nothing to repair.
    try session()
    #expect(try kinds().count == 4)
  }

  @Test func `repeats a repair that crashed without losing data`() throws {
    try session()
    try appendTornLine(Array("{\"seq".utf8))
    let before = try bytes()
    try session()
    let names = try FileSystem.names(in: store.root.logQuarantineDirectory)
    // Crashes between copying and truncating, between truncating and the repair entry, and inside the repair
    // entry.
    for torn in [Array("{\"seq".utf8), [], Array("{\"sequence\":2,".utf8)] {
      try FileSystem.replaceContents(store.root.logFile, with: Array(before.dropLast(5)) + torn)
      try session()
      #expect(try kinds() == [.ended, .repaired, .ended])
      let quarantined = try #require(try log.entry(.sequence(2))?.note.quarantined)
      #expect(Set(quarantined.map(\.file)).isSuperset(of: names))
      #expect(try log.verify().isValid)
    }
  }

  @Test func `restarts at sequence 1 if the only line is torn`() throws {
    try StateRoot(path: store.root.path).prepare()
    try FileSystem.makeDirectories(store.root.logDirectory)
    try write("{\"sequence\":1", to: store.root.logFile)
    try session()
    #expect(try kinds() == [.repaired, .ended])
    #expect(try log.verify().isValid)
  }

  @Test
  func `delivers content despite a damaged log and logs it after the repair`()
    throws
  {
    try session()
    try write("{\"not\":\"an entry\"}\n", to: store.root.logFile)
    let workspace = try store.workspace()
    try write("whole", to: "\(workspace.places.contentDirectory)/capture")
    let (id, draft) = (workspace.id, store.draft(workspace))
    let result = try Migration(workspace, draft: draft).run()
    guard case .logDamaged? = result.logFault else {
      Issue.record("\(String(describing: result.logFault))")
      return
    }
    #expect(try TemporaryStore.tree(store.app.content(id)) == ["capture": "whole"])
    #expect(try FileSystem.names(in: store.root.sessionsDirectory) == [id.description])
    // Recovery reports the damage, too, and does not change the log.
    #expect(try !Recovery.run(in: store.root).isClean)
    #expect(try String(decoding: bytes(), as: UTF8.self) == "{\"not\":\"an entry\"}\n")
    try FileSystem.rename(
      store.root.logFile,
      to: "\(store.root.logFile).damaged",
      .noReplace
    )
    #expect(try Recovery.run(in: store.root).isClean)
    #expect(try log.entry(.session(id))?.note.kind == .recovered)
    #expect(try store.leftovers() == [])
    #expect(try TemporaryStore.tree(store.app.content(id)) == ["capture": "whole"])
  }

  @Test func `concurrent hosts append to one chain`() async throws {
    let root = store.root
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<25 { try SessionLog(root).append(LogNote(.repaired, at: 1)) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try log.verify().entries == 100)
    #expect(try log.verify().isValid)
  }

  @Test func `forwards a session to the system journal if there is one`() throws {
    let path = "\(store.outside)/journal"
    let listener = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(listener) }
    try bindSocket(listener, to: path)
    let workspace = try store.workspace()
    let (id, draft) = (workspace.id, store.draft(workspace))
    _ = try Migration(workspace, draft: draft, forwardingTo: SystemJournal(path: path)).run()
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = recv(listener, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    try #require(count > 0)
    let fields = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    let head = try #require(try log.head())
    for field in [
      "PRIORITY=6", "SYSLOG_IDENTIFIER=darkroom", "DARKROOM_SESSION=\(id)", "DARKROOM_OUTCOME=completed",
      "DARKROOM_KIND=ended", "DARKROOM_HEAD=\(head)", "DARKROOM_ROOT=\(store.root.path)",
    ] { #expect(fields.contains(field)) }
    #expect(fields.contains { $0.hasPrefix("MESSAGE=session \(id)") })
    #expect(fields.contains { $0.hasPrefix("MESSAGE_ID=") && $0.count == 43 })

    let other = try store.workspace()
    let otherDraft = store.draft(other)
    let missing = SystemJournal(path: "\(store.outside)/nobody")
    #expect(try Migration(other, draft: otherDraft, forwardingTo: missing).run().logFault == nil)
    #expect(try log.verify().entries == 2)
  }

  /// Binds a socket to a path.
  private func bindSocket(_ socket: Int32, to path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
  }
}
