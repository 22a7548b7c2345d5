// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore
import Testing

/// State that interrupted invalidations and moves to the trash leave behind; `FaultTests` covers the rest.
@Suite struct RemovalIntentTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test func `ignores a removal intent that is truncated or whose content still exists`() throws {
    let record = try store.migrate { try write("whole", to: "\($0)/file") }.record
    let id = record.sessionID
    let note = """
      {"app":"org.example.camera","session":"\(id)",\
      "receipt":{"what":"content","files":1,"bytes":5,"at":"2026-01-31T08:15:00.250Z"}}
      """
    try write(note, to: "\(store.root.trashDirectory)/receipt-000000000000000000000000.json")
    try write(
      String(note.dropLast(20)),
      to: "\(store.root.trashDirectory)/receipt-000000000000000000000001.json"
    )
    #expect(try Recovery.run(in: store.root).isClean)
    #expect(try store.leftovers() == [])
    let found = try #require(try DeliveredContent(store.app).find(id))
    #expect(found.record?.erased == [])
  }

  @Test func `adds the receipt of removed content once`() throws {
    let record = try store.migrate { try write("whole", to: "\($0)/file") }.record
    let id = record.sessionID
    let note = """
      {"app":"org.example.camera","session":"\(id)",\
      "receipt":{"what":"content","files":1,"bytes":5,"at":"2026-01-31T08:15:00.250Z"}}
      """
    for number in 0...1 {
      try write(note, to: "\(store.root.trashDirectory)/receipt-00000000000000000000000\(number).json")
    }
    try FileSystem.removeTree(store.app.content(id))
    #expect(try Recovery.run(in: store.root).isClean)
    #expect(try store.leftovers() == [])
    let bytes = String(decoding: try #require(try FileSystem.contents(store.app.record(id))), as: UTF8.self)
    #expect(bytes.split(separator: "\"content\"").count == 3, "\(bytes)")
  }

  @Test func `completes the removal of a trashed session after its app was uninstalled`() throws {
    let workspace = try store.workspace()
    let draft = store.draft(workspace)
    let migration = Migration(workspace, draft: draft)
    for step in MigrationStep.allCases {
      try migration.perform(step)
      if step == .trash { break }
    }
    _ = consume migration
    try FileSystem.removeTree(store.app.directory)
    #expect(try Recovery.run(in: store.root).isClean)
    #expect(try store.leftovers() == [])
  }
}
