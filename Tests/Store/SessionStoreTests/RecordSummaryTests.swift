// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import Testing

@testable import SessionStore

@Suite struct RecordSummaryTests {
  /// Returns a record with the given number of files.
  private func record(files: Int) throws -> SessionRecord {
    let id = SessionID.random()
    var record = SessionRecord(
      sessionID: id,
      app: "org.example.camera",
      extensionID: "org.example.camera.capture",
      startedAt: 1_769_847_300_250,
      endedAt: 1_769_847_360_000,
      outcome: .dismissed(.init(by: .user, ending: .requested(.terminate)))
    )
    record.files = (0..<files).map { .init(path: "\"content\": {\($0)", size: 7, modified: 0) }
    record.content = .init(files: Int64(files), bytes: Int64(files) * 7, delivered: true)
    return record
  }

  @Test(arguments: [0, 1, 5000]) func `reads a summary from the prefix of a record`(files: Int) throws {
    let record = try record(files: files)
    let text = record.json.bytes(.indented)
    #expect(RecordSummary(beginning: Array(text.prefix(4096))) == RecordSummary(record))
    // A prefix that is too short yields no summary, and never a wrong one.
    for length in 0..<min(text.count, 1200) {
      if let summary = RecordSummary(beginning: Array(text.prefix(length))) {
        #expect(summary == RecordSummary(record))
      }
    }
  }

  @Test func `reads a record in another layout as a whole and rejects a damaged one`() throws {
    let store = try TemporaryStore()
    let session = try store.migrate { try write("picture", to: "\($0)/x") }.record
    let path = store.app.record(session.sessionID)
    try FileSystem.replaceContents(path, with: session.json.bytes(.compact))
    #expect(try RecordSummary.read(path) == RecordSummary(session))
    #expect(try DeliveredContent(store.app).find(session.sessionID)?.summary == RecordSummary(session))
    try FileSystem.replaceContents(path, with: Array("{\n  \"version\": 2,\n  \"x\"".utf8))
    #expect(throws: StoreError.self) { try RecordSummary.read(path) }
    let found = try DeliveredContent(store.app).find(session.sessionID)
    #expect(found?.summary == nil)
    #expect(found?.bytes == 7)
  }

  @Test func `a record contains the reason for the end of its session as text`() throws {
    let record = try record(files: 0)
    #expect(
      record.json["reason"]?.string
        == "the user dismissed the session, and the extension was terminated by SIGTERM from the host"
    )
    // The reason is for users only; parsing uses the typed outcome.
    var members = record.json.members ?? []
    members.removeAll { $0.name == "reason" }
    #expect(try SessionRecord(json: .object(members)) == record)
  }

  @Test func `keeps members of other versions when a receipt is added`() throws {
    let store = try TemporaryStore()
    let session = try store.migrate { try write("picture", to: "\($0)/x") }.record.sessionID
    let path = store.app.record(session)
    var members = try #require(try Document.read(path)?.members)
    members.insert(.init("later", ["x": 1]), at: 3)
    members.removeAll { $0.name == "reason" }
    try Document.write(.object(members), to: path)
    try DeliveredContent(store.app).invalidate(session)
    let after = try #require(try Document.read(path))
    #expect(after["later"] == ["x": 1])
    #expect(after["reason"] == nil)
    #expect(after["erased"]?.elements?.count == 1)
    #expect(after.members?.map(\.name) == members.map(\.name))
  }

  /// Performs all steps of a migration of a file whose name has to be escaped. Calls `change` with the path
  /// of the record after the erasure.
  private func migrate(_ store: TemporaryStore, _ change: (String) throws -> Void) throws -> MigrationResult {
    let workspace = try store.workspace()
    try write("picture", to: "\(workspace.places.contentDirectory)/a \"picture\"\n")
    try workspace.places.openLog().writeAll(Array("said".utf8))
    let path = store.app.record(workspace.id)
    let draft = store.draft(workspace)
    let migration = Migration(workspace, draft: draft)
    for step in MigrationStep.allCases {
      if step == .recordErasure { try change(path) }
      try migration.perform(step)
    }
    return migration.result
  }

  @Test func `adds the receipt of a migration to its own record`() throws {
    let store = try TemporaryStore()
    let result = try migrate(store) { _ in }
    let session = result.record.sessionID
    #expect(result.record.erased.map(\.what) == ["session directory"])
    #expect(try DeliveredContent(store.app).find(session)?.record == result.record)
    let text = try FileSystem.contents(store.app.record(session))
    #expect(text == result.record.json.bytes(.indented))
    #expect(try SessionLog(store.root).verify().isValid)
  }

  @Test func `keeps members that another process added to the record during the migration`() throws {
    let store = try TemporaryStore()
    let result = try migrate(store) { path in
      var members = try #require(try Document.read(path)?.members)
      members.append(.init("later", ["x": 1]))
      try Document.write(.object(members), to: path)
    }
    let after = try #require(try Document.read(store.app.record(result.record.sessionID)))
    #expect(after["later"] == ["x": 1])
    #expect(after["erased"]?.elements?.count == 1)
  }

  @Test func `does not recreate a record that the app removed during the migration`() throws {
    let store = try TemporaryStore()
    let result = try migrate(store) { try FileSystem.unlink($0) }
    #expect(try FileSystem.status(store.app.record(result.record.sessionID)) == nil)
  }
}
