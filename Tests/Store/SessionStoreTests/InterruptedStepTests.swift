// SPDX-License-Identifier: Apache-2.0

import CLinux
import JSONText
import LinuxPrimitives
import SessionStore
import Testing

/// Crashes inside a step, simulated by the state that they leave on the disk.
@Suite struct InterruptedStepTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Performs all steps up to `last` and then stops like a killed host.
  private func interrupt(after last: MigrationStep) throws -> SessionPaths {
    let workspace = try store.workspace()
    let places = workspace.places
    try write("whole", to: "\(places.contentDirectory)/file")
    succeed(chmod("\(places.contentDirectory)/file", 0o4755), "chmod")
    succeed(symlink("x", "\(places.contentDirectory)/link"), "symlink")
    try workspace.places.openLog().writeAll(Array("said".utf8))
    let draft = store.draft(workspace)
    let migration = Migration(workspace, draft: draft)
    for step in MigrationStep.allCases {
      try migration.perform(step)
      if step == last { break }
    }
    return places
  }

  /// Recovers the only session and returns its record as published to the app.
  private func recover() throws -> SessionRecord {
    let summary = try Recovery.run(in: store.root)
    #expect(summary.isClean)
    #expect(try store.leftovers() == [])
    let delivered = try DeliveredContent(store.app).list()
    #expect(delivered.count == 1)
    #expect(try delivered.map { try TemporaryStore.tree($0.path) } == [["file": "whole"]])
    let record = try #require(delivered.first?.record)
    for case .finished(let result) in summary.sessions.map(\.finding) {
      #expect(result.record == record)
      #expect(result.contentPath == store.app.content(record.sessionID))
    }
    return record
  }

  @Test(arguments: [MigrationStep.record, .publish, .deliver])
  func `recovery keeps the sanitizations of an existing record`(_ last: MigrationStep) throws {
    _ = try interrupt(after: last)
    // The bits have been cleared by now, so only the first record contains the change.
    #expect(try recover().sanitized == [.init(path: "file", change: .specialBitsCleared)])
  }

  @Test func `resumes an interrupted verification`() throws {
    let places = try interrupt(after: .verify)
    succeed(mkfifo("\(places.contentDirectory)/not-yet-seen", 0o600), "mkfifo")
    let list = "\(store.app.quarantine(places.id))/list.ndjson"
    // A line for a move that did not happen, and a truncated line.
    let lines = "\n{\"index\":1,\"path\":\"not-yet-seen\",\"reason\":\"fifo\"}\n{\"index\":2,\"pa"
    try FileSystem.open(list, [.write, .append]).writeAll(Array(lines.utf8))
    let quarantined = try recover().quarantined
    #expect(
      quarantined == [
        .init(path: "link", reason: .symbolicLink), .init(path: "not-yet-seen", reason: .fifo),
      ]
    )
  }

  @Test func `rewrites an incomplete record`() throws {
    let places = try interrupt(after: .synchronize)
    try write("{\"version\":", to: "\(places.recordFile).new.0123456789ab")
    #expect(try recover().content == .init(files: 1, bytes: 5, delivered: true))
  }

  /// A host does not wait until the record's name is durable. The log entry identifies the record.
  @Test(arguments: [MigrationStep.log, .publish])
  func `finds a record without its name by its log entry`(_ last: MigrationStep) throws {
    let places = try interrupt(after: last)
    let reserved = "\(places.directory)/reserve-record"
    let name = last == .log ? places.recordFile : store.app.record(places.id)
    let text = try #require(try FileSystem.contents(name))
    try FileSystem.rename(name, to: reserved, .noReplace)
    let record = try recover()
    #expect(record.outcome == .completed(exitCode: 0))
    // Only the first record contains the change.
    #expect(record.sanitized == [.init(path: "file", change: .specialBitsCleared)])
    #expect(record.erased.map(\.what) == ["session directory"])
    #expect(record.endedAt == (try SessionRecord(json: JSONNode.parse(text).value)).endedAt)
    try expectLogged(places.id)
  }

  /// The record is written while the content is synchronized, and takes effect only under its final name.
  @Test func `ignores a reserved record file before it is published`() throws {
    let places = try interrupt(after: .synchronize)
    #expect(try FileSystem.status(places.recordFile) == nil)
    let text = try #require(try FileSystem.contents("\(places.directory)/reserve-record"))
    #expect(try SessionRecord(json: JSONNode.parse(text).value).content.delivered)
    try write("more", to: "\(places.contentDirectory)/file")
    #expect(try Recovery.run(in: store.root).isClean)
    let delivered = try #require(try DeliveredContent(store.app).list().first)
    #expect(delivered.record?.content == .init(files: 1, bytes: 4, delivered: true))
    try expectLogged(places.id)
  }

  @Test func `rewrites a truncated reserved record`() throws {
    let places = try interrupt(after: .synchronize)
    try write("{\"version\": 2, \"outcome\"", to: "\(places.directory)/reserve-record")
    #expect(try recover().content == .init(files: 1, bytes: 5, delivered: true))
    try expectLogged(places.id)
  }

  @Test func `ignores a reserved record that does not match the log`() throws {
    let places = try interrupt(after: .log)
    let text = try #require(try FileSystem.contents(places.recordFile))
    try FileSystem.unlink(places.recordFile)
    let other = String(decoding: text, as: UTF8.self).replacing("\"completed\"", with: "\"cancelled\"")
    try write(other, to: "\(places.directory)/reserve-record")
    // The bits have been cleared by now, so only the record that must be ignored contains the change.
    #expect(try recover().sanitized.isEmpty)
  }

  /// Expects that the log has an entry for a session and that the record matches the entry.
  private func expectLogged(_ id: SessionID) throws {
    let result = try SessionLog(store.root).verify()
    #expect(result.changedRecords.isEmpty)
    #expect(try SessionLog(store.root).entry(.session(id)) != nil)
  }

  @Test func `repeats a move to the trash that was not durable and keeps the first count`() throws {
    let places = try interrupt(after: .erase)
    try FileSystem.rename(places.trashedDirectory, to: places.directory, .noReplace)
    let receipt = try #require(try recover().erased.first)
    #expect(receipt.files == 1)
    #expect(receipt.bytes == 4)
  }

  @Test func `completes an interrupted deletion`() throws {
    let places = try interrupt(after: .recordErasure)
    try FileSystem.unlink(places.trashedJournalFile)
    #expect(try recover().erased.count == 1)
  }
}
