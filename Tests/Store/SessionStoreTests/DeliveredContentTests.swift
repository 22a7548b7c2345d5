// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore
import TestSupport
import Testing

@Suite struct DeliveredContentTests {
  let store: TemporaryStore
  var content: DeliveredContent { DeliveredContent(store.app) }

  init() throws { store = try TemporaryStore() }

  @Test func `what is listed are sessions, in the order in which they began`() throws {
    #expect(try content.list() == [])
    let first = try store.handOver { try write("1", to: "\($0)/x") }.record
    let second = try store.handOver { try write("22", to: "\($0)/x") }.record
    try FileSystem.makeDirectory("\(store.app.contentDirectory)/not-a-session")
    let list = try content.list()
    #expect(Set(list.map(\.id)) == [first.sessionID, second.sessionID])
    let begins: [Int64] = list.map { $0.record?.startedAt ?? 0 }
    #expect(begins == begins.sorted())
    #expect(Set(list.map(\.bytes)) == [1, 2])
    #expect(list.map(\.files) == [1, 1])
  }

  @Test func `content without a record, or with a damaged one, is listed by what is there`() throws {
    let id = try store.handOver { try write("123", to: "\($0)/x") }.record.sessionID
    try write("{", to: store.app.record(id))
    #expect(try content.list().map(\.bytes) == [3])
    try FileSystem.unlink(store.app.record(id))
    #expect(try content.list().map(\.bytes) == [3])
    #expect(try content.list().first?.record == nil)
  }

  @Test func `invalidated content is gone, and the record says when`() throws {
    let id = try store.handOver { try write("123", to: "\($0)/x") }.record.sessionID
    try content.invalidate(id)
    #expect(try content.list() == [])
    #expect(try store.leftovers() == [])
    let text = String(decoding: try FileSystem.contents(store.app.record(id)) ?? [], as: UTF8.self)
    #expect(text.contains("\"what\": \"content\""))
  }

  @Test func `of two consumers that invalidate the same content, one is told that it was first`() throws {
    let id = try store.handOver { try write("123", to: "\($0)/x") }.record.sessionID
    try content.invalidate(id)
    #expect(throws: StoreError.noSuchContent(app: store.app.id, session: id)) { try content.invalidate(id) }
  }

  @Test func `an export is a copy, and the content stays`() throws {
    let id = try store.handOver { content in
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

  @Test func `an export never replaces anything`() throws {
    let id = try store.handOver { try write("new", to: "\($0)/x") }.record.sessionID
    try FileSystem.makeDirectory("\(store.outside)/\(id)")
    try write("old", to: "\(store.outside)/\(id)/x")
    #expect(throws: StoreError.alreadyThere(path: "\(store.outside)/\(id)")) {
      _ = try content.export(id, to: store.outside)
    }
    #expect(try TemporaryStore.tree(store.outside) == ["\(id)/x": "old"])
  }

  @Test func `an export across file systems is a copy too`() throws {
    let elsewhere = "/dev/shm/darkroom-\(Randomness.hexadecimal(bytes: 8))"
    defer { try? FileSystem.removeTree(elsewhere) }
    let id = try store.handOver { try write(String(repeating: "x", count: 300_000), to: "\($0)/x") }.record
      .sessionID
    let copy = try content.export(id, to: elsewhere)
    #expect(try FileSystem.contents("\(copy)/x")?.count == 300_000)
  }

  @Test func `what is not there can't be exported`() throws {
    let id = SessionID.random()
    #expect(throws: StoreError.noSuchContent(app: store.app.id, session: id)) {
      _ = try content.export(id, to: store.outside)
    }
    #expect(try FileSystem.names(in: store.outside) == [])
  }
}
