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
    try store.handOver { content in
      for directory in 0..<directories {
        try FileSystem.makeDirectory("\(content)/\(directory)")
        for file in 0..<files / directories { try write("x", to: "\(content)/\(directory)/\(file)") }
      }
    }.record.sessionID
  }

  @Test func `much content is gone at once, and the rest of its deletion waits`() throws {
    let id = try deliver(4000, in: 8)
    try DeliveredContent(store.app).invalidate(id, .beginning)
    #expect(try DeliveredContent(store.app).list().isEmpty)
    let trash = try Trash(store.root)
    #expect(try trash.waiting().isEmpty == false)
    let left = try ContentMeter.measure(store.root.trashDirectory).files
    #expect(left > 3000 && left < 4000)
    // Repeated partial deletions eventually empty the trash, too.
    while try !trash.waiting().isEmpty { _ = try trash.empty(.beginning) }
    #expect(try store.leftovers() == [])
  }

  @Test func `whoever begins waits for no more because there are many things`() throws {
    for id in try (0..<4).map({ _ in try deliver(1000, in: 4) }) {
      try DeliveredContent(store.app).invalidate(id, .beginning)
    }
    func left() throws -> Int64 { try ContentMeter.measure(store.root.trashDirectory).entries }
    let before = try left()
    _ = try Trash(store.root).empty(.beginning)
    let after = try left()
    #expect(after < before && after >= before - 512)
  }

  @Test func `whoever begins waits for no second large file`() throws {
    let id = try store.handOver { content in
      for number in 0..<3 {
        let file = try FileSystem.open("\(content)/\(number)", [.write, .create])
        try file.allocate(bytes: 40 << 20, path: "\(content)/\(number)")
      }
    }.record.sessionID
    try DeliveredContent(store.app).invalidate(id, .beginning)
    let trash = try Trash(store.root)
    func left() throws -> Int64 { try ContentMeter.measure(store.root.trashDirectory).files }
    #expect(try left() == 2)
    #expect(try trash.empty(.beginning) == 0)
    #expect(try left() == 1)
    while try !trash.waiting().isEmpty { _ = try trash.empty(.beginning) }
    #expect(try store.leftovers() == [])
  }

  @Test func `recovery finishes what a sweep has left`() throws {
    let id = try deliver(2000, in: 2)
    try DeliveredContent(store.app).invalidate(id, .beginning)
    #expect(try Recovery.run(in: store.root, trash: .beginning).isClean)
    #expect(try Trash(store.root).waiting().isEmpty == false)
    #expect(try Recovery.run(in: store.root).discarded > 0)
    #expect(try store.leftovers() == [])
  }

  @Test func `several empty it at once`() async throws {
    let id = try deliver(6000, in: 30)
    try DeliveredContent(store.app).invalidate(id, .beginning)
    let root = store.root
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { _ = try? Trash(root).empty() } }
    }
    _ = try Trash(root).empty()
    #expect(try store.leftovers() == [])
  }

  @Test func `the record says what was erased, and how much`() throws {
    let id = try deliver(600, in: 1)
    try DeliveredContent(store.app).invalidate(id, .beginning)
    let text = try String(decoding: FileSystem.contents(store.app.record(id)) ?? [], as: UTF8.self)
    #expect(text.contains("\"what\": \"content\""))
    #expect(text.contains("\"files\": 600"))
    _ = try Trash(store.root).empty()
  }
}
