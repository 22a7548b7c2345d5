// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import SessionStore
import Testing

/// What was removed is gone at once, and deleted afterwards.
@Suite(.timeLimit(.minutes(20))) struct TrashTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Delivers content of so many files in so many directories.
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
    // Somebody who begins and ends again and again comes to the end, too.
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
