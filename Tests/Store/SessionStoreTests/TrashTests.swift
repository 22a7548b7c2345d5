// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import SessionStore
import Testing

/// Removed content disappears immediately and is deleted afterwards.
@Suite(.timeLimit(.minutes(20))) struct TrashTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Delivers content with the given numbers of files and directories.
  private func deliver(_ files: Int, in directories: Int) throws -> SessionID {
    try store.migrate { content in
      for directory in 0..<directories {
        try FileSystem.makeDirectory("\(content)/\(directory)")
        for file in 0..<files / directories { try write("x", to: "\(content)/\(directory)/\(file)") }
      }
    }.record.sessionID
  }

  @Test func `removes large content at once and defers the rest of its deletion`() throws {
    let id = try deliver(4000, in: 8)
    try DeliveredContent(store.app).invalidate(id, .partial)
    #expect(try DeliveredContent(store.app).list().isEmpty)
    let trash = try Trash(store.root)
    #expect(try trash.pendingNames().isEmpty == false)
    let remaining = try ContentMeter.measure(store.root.trashDirectory).files
    #expect(remaining > 3000 && remaining < 4000)
    // Repeated partial deletions eventually empty the trash, too.
    while try !trash.pendingNames().isEmpty { _ = try trash.empty(.partial) }
    #expect(try store.leftovers() == [])
  }

  @Test func `a partial deletion is bounded in the number of entries`() throws {
    for id in try (0..<4).map({ _ in try deliver(1000, in: 4) }) {
      try DeliveredContent(store.app).invalidate(id, .partial)
    }
    func remaining() throws -> Int64 { try ContentMeter.measure(store.root.trashDirectory).entries }
    let before = try remaining()
    _ = try Trash(store.root).empty(.partial)
    let after = try remaining()
    #expect(after < before && after >= before - 512)
  }

  @Test func `a partial deletion is bounded in the size of files`() throws {
    let id = try store.migrate { content in
      for number in 0..<3 {
        let file = try FileSystem.open("\(content)/\(number)", [.write, .create])
        try file.allocate(bytes: 40 << 20, path: "\(content)/\(number)")
      }
    }.record.sessionID
    try DeliveredContent(store.app).invalidate(id, .partial)
    let trash = try Trash(store.root)
    func remaining() throws -> Int64 { try ContentMeter.measure(store.root.trashDirectory).files }
    #expect(try remaining() == 2)
    #expect(try trash.empty(.partial) == 0)
    #expect(try remaining() == 1)
    while try !trash.pendingNames().isEmpty { _ = try trash.empty(.partial) }
    #expect(try store.leftovers() == [])
  }

  @Test func `a full recovery completes a partial deletion`() throws {
    let id = try deliver(2000, in: 2)
    try DeliveredContent(store.app).invalidate(id, .partial)
    #expect(try Recovery.run(in: store.root, trash: .partial).isClean)
    #expect(try Trash(store.root).pendingNames().isEmpty == false)
    #expect(try Recovery.run(in: store.root).discarded > 0)
    #expect(try store.leftovers() == [])
  }

  @Test func `concurrent deletions empty the trash`() async throws {
    let id = try deliver(6000, in: 30)
    try DeliveredContent(store.app).invalidate(id, .partial)
    let root = store.root
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { _ = try? Trash(root).empty() } }
    }
    _ = try Trash(root).empty()
    #expect(try store.leftovers() == [])
  }

  @Test func `the record contains a receipt with the number of erased files`() throws {
    let id = try deliver(600, in: 1)
    try DeliveredContent(store.app).invalidate(id, .partial)
    let text = try String(decoding: FileSystem.contents(store.app.record(id)) ?? [], as: UTF8.self)
    #expect(text.contains("\"what\": \"content\""))
    #expect(text.contains("\"files\": 600"))
    _ = try Trash(store.root).empty()
  }
}
