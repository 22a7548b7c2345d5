// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import SessionStore
import Testing

/// Content files that a process outside the session keeps in use.
@Suite struct ContentInUseTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// An open or mapped file that is closed with the last reference.
  private final class HeldFile {
    let descriptor: Descriptor?
    let mapping: UnsafeMutableRawPointer?

    init(_ path: String, _ flags: OpenFlags) throws {
      descriptor = try FileSystem.open(path, flags)
      mapping = nil
    }

    init(mapping path: String) throws {
      let file = try FileSystem.open(path, .readWrite)
      mapping = darkroom_map_shared(4, PROT_READ | PROT_WRITE, file.rawValue)
      descriptor = nil
    }

    deinit { if let mapping { munmap(mapping, 4) } }
  }

  /// Migrates two files, one of which is in use.
  private func migrate(_ hold: (String) throws -> HeldFile) throws -> (
    result: MigrationResult, held: HeldFile
  ) {
    var held: HeldFile?
    let result = try store.migrate(digests: .sha256) { content in
      try write("good", to: "\(content)/good")
      try write("held", to: "\(content)/held")
      held = try hold("\(content)/held")
    }
    return (result, try #require(held))
  }

  @Test func `quarantines a file that another process has open for writing`() throws {
    let (result, held) = try migrate { try HeldFile($0, .readWrite) }
    #expect(result.record.quarantined == [.init(path: "held", reason: .heldOpen)])
    #expect(result.record.files.map(\.path) == ["good"])
    try held.descriptor?.writeAll(Array("evil".utf8))
    #expect(try TemporaryStore.tree(try #require(result.contentPath)) == ["good": "good"])
  }

  @Test func `quarantines a file that another process has mapped writable`() throws {
    let (result, held) = try migrate { try HeldFile(mapping: $0) }
    #expect(result.record.quarantined == [.init(path: "held", reason: .heldOpen)])
    held.mapping?.storeBytes(of: 0x6C69_7665, as: UInt32.self)
    #expect(try TemporaryStore.tree(try #require(result.contentPath)) == ["good": "good"])
  }

  @Test func `migrates a file that another process has open for reading`() throws {
    let (result, held) = try migrate { try HeldFile($0, .read) }
    #expect(result.record.quarantined == [])
    #expect(result.record.files.map(\.path) == ["good", "held"])
    _ = held
  }

  @Test func `migrates a file that is closed during verification`() throws {
    let result = try store.migrate { content in
      try write("data", to: "\(content)/file")
      let raw = try FileSystem.open("\(content)/file", .readWrite).release()
      _ = try PlainThread.start(name: "closes") {
        MonotonicClock.sleep(milliseconds: 40)
        close(raw)
      }
    }
    #expect(result.record.quarantined == [])
    #expect(result.record.files.map(\.path) == ["file"])
  }

  /// A change of a file between verification and digest.
  enum Modification: CaseIterable, Sendable {
    /// The data changes but not the length.
    case written
    /// The data changes and the timestamps are restored.
    case disguised
    /// Another file replaces it.
    case replaced
    /// A symbolic link replaces it.
    case linked
    /// The file is removed.
    case removed

    /// Applies the change to a file.
    func `apply`(to path: String) throws {
      switch self {
      case .written: try write("evil", to: path)
      case .disguised:
        let status = try #require(try FileSystem.status(path))
        try write("evil", to: path)
        try FileSystem.open(path, .readWrite).setTimes(accessed: status.accessed, modified: status.modified)
      case .replaced:
        try write("evil", to: "\(path).new")
        try FileSystem.rename("\(path).new", to: path, .replace)
      case .linked:
        try FileSystem.unlink(path)
        succeed(symlink("/etc/passwd", path), "symlink")
      case .removed: try FileSystem.unlink(path)
      }
    }
  }

  @Test(arguments: Modification.allCases)
  func `quarantines a file that changes between verification and digest`(_ modification: Modification) throws
  {
    let workspace = try store.workspace()
    let content = workspace.places.contentDirectory
    try write("good", to: "\(content)/good")
    try FileSystem.makeDirectory("\(content)/d")
    try write("data", to: "\(content)/d/file")
    let draft = store.draft(workspace)
    let migration = Migration(workspace, draft: draft, digests: .sha256)
    for step in MigrationStep.allCases {
      // The kernel's file timestamps have a resolution of some milliseconds.
      if step == .digest { MonotonicClock.sleep(milliseconds: 20) }
      if step == .digest { try modification.apply(to: "\(content)/d/file") }
      try migration.perform(step)
    }
    let record = migration.result.record
    #expect(record.files.map(\.path) == ["good"])
    #expect(record.content == .init(files: 1, bytes: 4, delivered: true))
    #expect(record.quarantined == (modification == .removed ? [] : [.init(path: "d/file", reason: .changed)]))
    #expect(try TemporaryStore.tree(try #require(migration.result.contentPath)) == ["good": "good"])
    #expect(try store.leftovers() == [])
  }
}
