// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore
import TestSupport
import Testing

@Suite struct DeliveredContentTests {
  let store: TemporaryStore
  var content: DeliveredContent { DeliveredContent(store.app) }

  init() throws { store = try TemporaryStore() }

  @Test func `lists only sessions, ordered by start time`() throws {
    #expect(try content.list() == [])
    let first = try store.migrate { try write("1", to: "\($0)/x") }.record
    let second = try store.migrate { try write("22", to: "\($0)/x") }.record
    try FileSystem.makeDirectory("\(store.app.contentDirectory)/not-a-session")
    let list = try content.list()
    #expect(Set(list.map(\.id)) == [first.sessionID, second.sessionID])
    let startTimes: [Int64] = list.map { $0.record?.startedAt ?? 0 }
    #expect(startTimes == startTimes.sorted())
    #expect(Set(list.map(\.bytes)) == [1, 2])
    #expect(list.map(\.files) == [1, 1])
  }

  @Test func `lists content without a valid record by its files`() throws {
    let id = try store.migrate { try write("123", to: "\($0)/x") }.record.sessionID
    try write("{", to: store.app.record(id))
    #expect(try content.list().map(\.bytes) == [3])
    try FileSystem.unlink(store.app.record(id))
    #expect(try content.list().map(\.bytes) == [3])
    #expect(try content.list().first?.record == nil)
  }

  @Test func `invalidated content is removed and the record has a receipt`() throws {
    let id = try store.migrate { try write("123", to: "\($0)/x") }.record.sessionID
    try content.invalidate(id)
    #expect(try content.list() == [])
    #expect(try store.leftovers() == [])
    let text = String(decoding: try FileSystem.contents(store.app.record(id)) ?? [], as: UTF8.self)
    #expect(text.contains("\"what\": \"content\""))
  }

  @Test func `a second invalidation of the same content throws`() throws {
    let id = try store.migrate { try write("123", to: "\($0)/x") }.record.sessionID
    try content.invalidate(id)
    #expect(throws: StoreError.noSuchContent(app: store.app.id, session: id)) { try content.invalidate(id) }
  }

  @Test func `exports a copy and keeps the content`() throws {
    let id = try store.migrate { content in
      try FileSystem.makeDirectory("\(content)/d")
      try write("one", to: "\(content)/d/1")
      try write("", to: "\(content)/empty")
    }.record.sessionID
    let copy = try content.export(id, to: "\(store.outside)/new/place")
    #expect(copy == "\(store.outside)/new/place/\(id)")
    #expect(try TemporaryStore.tree(copy) == ["d/1": "one", "empty": ""])
    #expect(try TemporaryStore.tree(store.app.content(id)) == ["d/1": "one", "empty": ""])
    #expect(try FileSystem.names(in: "\(store.outside)/new/place") == [id.description])
  }

  @Test func `an export never replaces an existing directory`() throws {
    let id = try store.migrate { try write("new", to: "\($0)/x") }.record.sessionID
    try FileSystem.makeDirectory("\(store.outside)/\(id)")
    try write("old", to: "\(store.outside)/\(id)/x")
    #expect(throws: StoreError.alreadyExists(path: "\(store.outside)/\(id)")) {
      _ = try content.export(id, to: store.outside)
    }
    #expect(try TemporaryStore.tree(store.outside) == ["\(id)/x": "old"])
  }

  @Test func `exports across file systems`() throws {
    let elsewhere = "/dev/shm/darkroom-\(Randomness.hexadecimal(bytes: 8))"
    defer { try? FileSystem.removeTree(elsewhere) }
    let id = try store.migrate { try write(String(repeating: "x", count: 300_000), to: "\($0)/x") }.record
      .sessionID
    let copy = try content.export(id, to: elsewhere)
    #expect(try FileSystem.contents("\(copy)/x")?.count == 300_000)
  }

  @Test func `throws for an export of content that does not exist`() throws {
    let id = SessionID.random()
    #expect(throws: StoreError.noSuchContent(app: store.app.id, session: id)) {
      _ = try content.export(id, to: store.outside)
    }
    #expect(try FileSystem.names(in: store.outside) == [])
  }
}
