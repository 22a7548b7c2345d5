// SPDX-License-Identifier: Apache-2.0

import CLinux
import Digests
import JSONText
import LinuxPrimitives
import Testing

@testable import SessionStore

/// Documents in a state root that an earlier version wrote.
@Suite struct EarlierFormatTests {
  let store: TemporaryStore
  let log: SessionLog

  init() throws {
    store = try TemporaryStore()
    log = SessionLog(store.root)
  }

  // MARK: - Journals

  /// Rewrites the journal of a session as version 1, with a record of version 2.
  private func rewriteJournal(_ id: SessionID) throws {
    let places = store.root.session(id)
    for path in [places.journalFile, places.trashedJournalFile] {
      guard let value = try Document.read(path) else { continue }
      let renamed = value.updated(by: [
        .value(path: ["phase"], old: "prewarmed", new: "waiting"),
        .member(path: ["content"], old: "maximumBytes", new: "mostBytes"),
        .value(path: ["record", "outcome", "by"], old: "user", new: "person"),
        .value(path: ["record", "outcome", "ending", "kind"], old: "timedOut", new: "outstayed"),
        .member(path: ["record"], old: "sanitized", new: "normalised"),
      ])
      let members = (renamed.members ?? []).map { (member) -> JSONValue.Member in
        switch member.name {
        case "version": .init(member.name, 1)
        case "record": .init(member.name, Self.withVersion(2, member.value))
        default: member
        }
      }
      try Document.write(.object(members), to: path)
    }
  }

  /// Returns a document with another version.
  private static func withVersion(_ version: Int64, _ document: JSONValue) -> JSONValue {
    .object(
      (document.members ?? []).map { $0.name == "version" ? .init("version", .integer(version)) : $0 }
    )
  }

  /// Expects that a session with the file `capture.jpg` is delivered once, and that nothing else is left.
  private func expectDelivered(_ id: SessionID) throws -> SessionRecord {
    let delivered = try DeliveredContent(store.app).list()
    #expect(delivered.map(\.id) == [id])
    #expect(try TemporaryStore.tree(store.app.content(id)) == ["capture.jpg": "whole"])
    #expect(try store.leftovers() == [])
    #expect(try log.verify().isValid)
    return try #require(delivered.first?.record)
  }

  @Test(arguments: 0...MigrationStep.allCases.count)
  func `recovers a session with a version 1 journal if the host dies at any step`(_ count: Int) throws {
    let id: SessionID
    do {
      let workspace = try store.workspace()
      id = workspace.id
      try write("whole", to: "\(workspace.places.contentDirectory)/capture.jpg")
      let draft = store.draft(workspace)
      let migration = Migration(workspace, draft: draft)
      for step in MigrationStep.allCases.prefix(count) { try migration.perform(step) }
    }
    try rewriteJournal(id)
    let summary = try Recovery.run(in: store.root)
    #expect(summary.isClean)
    _ = try expectDelivered(id)
  }

  @Test func `recovers a session with a version 1 journal that contains a version 2 record`() throws {
    let id: SessionID
    let outcome = SessionOutcome.dismissed(.init(by: .user, ending: .timedOut))
    do {
      let workspace = try store.workspace()
      id = workspace.id
      try write("whole", to: "\(workspace.places.contentDirectory)/capture.jpg")
      var draft = store.draft(workspace)
      draft.outcome = outcome
      var journal = workspace.journal
      journal.phase = .ended(draft)
      try journal.write(to: workspace.places.journalFile)
    }
    try rewriteJournal(id)
    let old = try #require(try Document.read(store.root.session(id).journalFile))
    #expect(old["version"] == 1 && old["record"]?["version"] == 2)
    #expect(old["record"]?["outcome"]?["ending"] == ["kind": "outstayed"])
    #expect(try Recovery.run(in: store.root).isClean)
    #expect(try expectDelivered(id).outcome == outcome)
    #expect(try Document.read(store.app.record(id))?["version"] == 3)
  }

  @Test func `lists and removes a prewarmed session with a version 1 journal`() throws {
    let id: SessionID
    do {
      let session = try SessionWorkspace.prepare(
        for: store.app,
        extensionID: "org.example.camera.x",
        stage: .prewarmed
      )
      id = session.id
      try rewriteJournal(id)
      let old = try #require(try Document.read(session.places.journalFile))
      #expect(old["phase"] == "waiting")
      #expect(try LiveSessions.list(in: store.root).map(\.stage) == [.prewarmed])
    }
    let reports = try Recovery.run(in: store.root).sessions
    guard reports.map(\.session) == [id], case .neverStarted = reports[0].finding else {
      Issue.record("\(reports)")
      return
    }
    #expect(try store.leftovers() == [])
  }

  @Test(
    arguments: [
      [.value(path: ["phase"], old: "prewarmed", new: "waiting")],
      [.member(path: ["content"], old: "maximumBytes", new: "mostBytes")],
    ] as [[JSONRenaming]]
  )
  func `rejects a version 2 journal with a name of version 1`(renamings: [JSONRenaming]) throws {
    let journal = Journal(
      sessionID: .random(),
      app: "a",
      extensionID: "b",
      startedAt: 0,
      hostProcess: 1,
      phase: .prewarmed
    )
    #expect(try Journal(journal.json) == journal)
    #expect(throws: DocumentFault.self) { try Journal(journal.json.updated(by: renamings)) }
  }

  // MARK: - Records

  @Test func `keeps the names of a version 2 record when a receipt is added`() throws {
    let session = try store.migrate { try write("picture", to: "\($0)/x") }.record
    let path = store.app.record(session.sessionID)
    let old = Self.withVersion(
      2,
      session.json.updated(by: [.member(path: [], old: "sanitized", new: "normalised")])
    )
    try Document.write(old, to: path)
    let digest = try SessionLog.digestAsWritten(path)
    try DeliveredContent(store.app).invalidate(session.sessionID)
    let after = try #require(try Document.read(path))
    #expect(after["version"] == 2)
    #expect(after["erased"]?.elements?.last?["what"] == "content")
    #expect(after.members?.map(\.name) == old.members?.map(\.name))
    #expect(try SessionLog.digestAsWritten(path) == digest)
    #expect(try RecordSummary.read(path) == RecordSummary(session))
  }

  /// Returns a session that was interrupted after an item was moved to the quarantine, and the path of its
  /// list.
  private func interruptQuarantine() throws -> (id: SessionID, list: String) {
    let workspace = try store.workspace()
    let id = workspace.id
    let content = workspace.places.contentDirectory
    try write("whole", to: "\(content)/capture.jpg")
    succeed(symlink("/etc/passwd", "\(content)/link"), "symlink")
    let draft = store.draft(workspace)
    let migration = Migration(workspace, draft: draft)
    for step in [MigrationStep.writeOutcome, .verify] { try migration.perform(step) }
    return (id, "\(store.app.quarantine(id))/list.ndjson")
  }

  @Test func `reads a quarantine list with the earlier name of a reason`() throws {
    let (id, list) = try interruptQuarantine()
    let text = String(decoding: try #require(try FileSystem.contents(list)), as: UTF8.self)
    let old = text.replacing("\"symbolicLink\"", with: "\"notNormalisable\"")
    try #require(old != text)
    try FileSystem.replaceContents(list, with: Array(old.utf8))
    #expect(try Recovery.run(in: store.root).isClean)
    #expect(try expectDelivered(id).quarantined == [.init(path: "link", reason: .notSanitizable)])
  }

  @Test func `reads an earlier quarantine list that ends with zeros after a power failure`() throws {
    let (id, list) = try interruptQuarantine()
    let places = store.root.session(id)
    succeed(mkfifo("\(places.contentDirectory)/pipe", 0o600), "mkfifo")
    var old = try #require(try FileSystem.contents(list))
    #expect(old.popLast() == UInt8(ascii: "\n"))
    try FileSystem.replaceContents(list, with: old + [UInt8](repeating: 0, count: 60))
    #expect(try Recovery.run(in: store.root).isClean)
    #expect(
      try expectDelivered(id).quarantined == [
        .init(path: "link", reason: .symbolicLink), .init(path: "pipe", reason: .fifo),
      ]
    )
  }

  // MARK: - The session log

  @Test func `reads a log entry with the earlier names and continues its chain`() throws {
    _ = try store.migrate { try write("x", to: "\($0)/capture") }
    try FileSystem.open(store.root.logFile, [.write, .append]).writeAll(Array("{\"seq".utf8))
    _ = try store.migrate { try write("x", to: "\($0)/capture") }
    let entry = try #require(try log.entry(.sequence(2)))
    #expect(entry.note.kind == .repaired && entry.note.quarantined.count == 1)

    let text = String(decoding: try #require(try FileSystem.contents(store.root.logFile)), as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    let end = ",\"digest\":\"\(entry.digest)\"}"
    try #require(lines.count == 3 && lines[1].hasSuffix(end))
    let body = lines[1].dropLast(end.count)
      .replacing("\"kind\":\"repaired\"", with: "\"kind\":\"mended\"")
      .replacing("\"quarantined\":[", with: "\"aside\":[")
    let digest = try SHA256Digest.of(Array(body.utf8))
    let old = "\(lines[0])\n\(body),\"digest\":\"\(digest)\"}\n"
    #expect(old.contains("\"mended\"") && old.contains("\"aside\""))
    try FileSystem.replaceContents(store.root.logFile, with: Array(old.utf8))

    #expect(try log.entry(.sequence(2))?.note == entry.note)
    #expect(try log.verify().isValid && log.verify().repairs == [2])
    _ = try store.migrate { try write("x", to: "\($0)/capture") }
    let result = try log.verify()
    #expect(result.isValid && result.entries == 3 && result.repairs == [2])
    let after = try #require(try FileSystem.contents(store.root.logFile))
    #expect(after.starts(with: Array(old.utf8)))
  }
}
