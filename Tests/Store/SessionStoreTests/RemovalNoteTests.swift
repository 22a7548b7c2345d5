// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore
import Testing

/// State that interrupted invalidations and moves to the trash leave behind; `FaultTests` covers the rest.
@Suite struct RemovalNoteTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test func `a note that was cut short, or whose content is still there, changes nothing`() throws {
    let record = try store.handOver { try write("whole", to: "\($0)/file") }.record
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

  @Test func `content that was taken gets its receipt once`() throws {
    let record = try store.handOver { try write("whole", to: "\($0)/file") }.record
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

  @Test func `a session that was buried is forgotten also if its app has been uninstalled since`() throws {
    let workspace = try store.workspace()
    let draft = store.draft(workspace)
    let handOver = HandOver(workspace, draft: draft)
    for step in HandOverStep.allCases {
      try handOver.perform(step)
      if step == .bury { break }
    }
    _ = consume handOver
    try FileSystem.removeTree(store.app.directory)
    #expect(try Recovery.run(in: store.root).isClean)
    #expect(try store.leftovers() == [])
  }
}
