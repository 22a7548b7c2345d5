// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import SessionStore
import Testing

/// Listing and removing quarantined items.
@Suite struct QuarantineTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Migrates a session of which a symbolic link and a file with a hard link are quarantined.
  private func session() throws -> SessionRecord {
    try store.migrate { content in
      try write("good", to: "\(content)/good")
      succeed(symlink("x", "\(content)/link"), "symlink")
      try write("two names", to: "\(store.outside)/one")
      succeed(link("\(store.outside)/one", "\(content)/two"), "link")
    }.record
  }

  @Test func `lists quarantined items with paths and reasons`() throws {
    let record = try session()
    let listed = try Quarantine(store.app).list()
    #expect(listed.map(\.id) == [record.sessionID])
    #expect(Set(listed.first?.items ?? []) == Set(record.quarantined))
    #expect(listed.first?.items.count == 2)
    #expect(listed.first?.files == 2)
  }

  @Test func `removes quarantined items once with a receipt`() throws {
    let id = try session().sessionID
    let receipt = try Quarantine(store.app).remove(id, .plain)
    #expect(receipt.effect == nil)
    #expect(try Quarantine(store.app).list().isEmpty)
    #expect(try store.leftovers() == [])
    let text = try String(decoding: FileSystem.contents(store.app.record(id)) ?? [], as: UTF8.self)
    #expect(text.contains("\"what\": \"quarantine\""))
    #expect(throws: StoreError.noSuchQuarantine(app: store.app.id, session: id)) {
      _ = try Quarantine(store.app).remove(id, .plain)
    }
    #expect(try DeliveredContent(store.app).list().map(\.files) == [1])
  }

  @Test func `shredding overwrites files that have no other link`() throws {
    let id = try session().sessionID
    let items = "\(store.app.quarantine(id))/items"
    // Simulates a directory that was quarantined as a whole.
    try FileSystem.makeDirectory("\(items)/7")
    try write("secret words", to: "\(items)/7/words")
    let file = try FileSystem.open("\(items)/7/words", .read)
    let receipt = try Quarantine(store.app).remove(id, .shredded)
    // The list of the items is overwritten, too.
    #expect(receipt.overwritten > 12)
    #expect(receipt.notOverwritten == 1)
    #expect(receipt.effect != nil)
    let now = try #require(try file.readAll(limit: 100))
    #expect(now.count == 12)
    #expect(now != Array("secret words".utf8))
    #expect(try FileSystem.contents("\(store.outside)/one") == Array("two names".utf8))
  }
}
