// SPDX-License-Identifier: Apache-2.0

import CLinux
import Digests
import JSONText
import LinuxPrimitives
import SessionStore
import Testing

@Suite struct SessionLogTests {
  let store: TemporaryStore
  let log: SessionLog

  init() throws {
    store = try TemporaryStore()
    log = SessionLog(store.root)
  }

  /// Migrates `count` sessions with one file each.
  private func sessions(_ count: Int) throws {
    for index in 0..<count { _ = try store.migrate { try write("\(index)", to: "\($0)/capture") } }
  }

  /// Returns all entries, oldest first.
  private func entries() throws -> [LogEntry] {
    var entries: [LogEntry] = []
    try log.forEachFromNewest { result in
      if case .success(let entry) = result { entries.append(entry) }
      return .more
    }
    return entries.reversed()
  }

  private func lines() throws -> [String] {
    let bytes = try #require(try FileSystem.contents(store.root.logFile, limit: 1 << 26))
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast().map(String.init)
  }

  private func replace(_ lines: [String]) throws {
    try FileSystem.replaceContents(store.root.logFile, with: Array(lines.map { "\($0)\n" }.joined().utf8))
  }

  @Test func `logs a migrated session with the digest of its record`() throws {
    let result = try store.migrate(digests: .sha256) { try write("secret name", to: "\($0)/name-of-a-file") }
    let entry = try #require(try log.entry(.session(result.record.sessionID)))
    #expect(try log.entry(.sequence(1)) == entry)
    #expect(entry.sequence == 1)
    #expect(entry.note.kind == .ended)
    let session = try #require(entry.note.session)
    #expect(session.app == store.app.id)
    #expect(session.outcome == "completed")
    #expect(session.startedAt == result.record.startedAt)
    // The record before its receipt was added.
    var record = result.record
    record.erased = []
    #expect(session.recordDigest == (try SHA256Digest.of(record.json.bytes(.indented))))
    // Names chosen by the extension must not outlive its app in the log.
    #expect(try !lines().joined().contains("name-of-a-file"))
    #expect(session.excerpt?["content"]?["files"]?.integer == 1)
  }

  @Test func `chains entries by digests that sha256sum reproduces`() throws {
    try sessions(3)
    let entries = try entries()
    #expect(entries.map(\.sequence) == [1, 2, 3])
    #expect(entries.dropFirst().map(\.previous) == entries.dropLast().map(\.digest))
    for (line, entry) in zip(try lines(), entries) {
      let body = line.prefix(line.utf8.count - 84)
      #expect(try SHA256Digest.of(Array(body.utf8)) == entry.digest)
    }
    let result = try log.verify()
    #expect(result.isValid)
    #expect(result.entries == 3)
    #expect(result.head == entries.last?.head)
    #expect(try log.head() == entries.last?.head)
  }

  @Test(
    arguments: [
      "sequence", "time", "kind", "session", "app", "extension", "outcome", "startedAt", "endedAt", "refused",
      "recordDigest", "previous", "record", "digest",
    ],
    [0, 1, 2]
  )
  func `detects a changed member of an entry`(_ name: String, _ index: Int) throws {
    try sessions(3)
    var lines = try lines()
    let begin = try #require(lines[index].firstRange(of: "\"\(name)\":"))
    // Replaces the first digit or letter of the value.
    let rest = lines[index][begin.upperBound...]
    let position = try #require(rest.firstIndex { $0.isNumber || $0.isLetter })
    let other: Character = lines[index][position].isNumber ? (lines[index][position] == "9" ? "8" : "9") : "x"
    lines[index].replaceSubrange(position...position, with: String(other))
    try replace(lines)
    let result = try log.verify()
    #expect(!result.isValid)
    #expect(result.invalidEntry?.line == Int64(index + 1))
    #expect(result.entries == Int64(index))
  }

  @Test func `detects a removed, repeated or moved entry`() throws {
    try sessions(4)
    let lines = try lines()
    let changes: [(lines: [String], wrong: Int64)] = [
      (Array(lines.dropFirst()), 1), ([lines[0], lines[2], lines[3]], 2),
      ([lines[0], lines[2], lines[1], lines[3]], 2), ([lines[0], lines[0], lines[1]], 2),
      ([lines[0], "", lines[1]], 2), ([lines[0], "{}", lines[1]], 2),
    ]
    for change in changes {
      try replace(change.lines)
      #expect(try log.verify().invalidEntry?.line == change.wrong)
    }
    try replace(lines)
    #expect(try log.verify().isValid)
  }

  @Test func `detects a truncated or rewritten log by a saved head`() throws {
    try sessions(3)
    let kept = try #require(try log.head())
    #expect(LogHead("\(kept)") == kept)
    try sessions(1)
    #expect(try log.verify(kept: kept).headComparison == .found(kept))
    let lines = try lines()
    try replace(Array(lines.prefix(2)))
    // The chain alone does not reveal the truncation.
    #expect(try log.verify().isValid)
    #expect(try log.verify(kept: kept).headComparison == .truncated(kept))
    #expect(try !log.verify(kept: kept).isValid)
    try sessions(2)
    guard case .replaced(kept, _) = try log.verify(kept: kept).headComparison else {
      Issue.record("another entry 3 was taken for the one that was kept")
      return
    }
    try FileSystem.unlink(store.root.logFile)
    #expect(try log.verify(kept: kept).headComparison == .truncated(kept))
  }

  @Test func `a record with a later receipt still matches its log entry`() throws {
    let session = try store.migrate { try write("x", to: "\($0)/x") }.record.sessionID
    try DeliveredContent(store.app).invalidate(session)
    let text = try #require(try FileSystem.contents(store.app.record(session)))
    #expect(String(decoding: text, as: UTF8.self).contains("\"what\": \"content\""))
    #expect(try log.verify().isValid)
  }

  @Test
  func `detects a record that was changed after it was logged but accepts a removed one`()
    throws
  {
    let first = try store.migrate { try write("x", to: "\($0)/x") }
    let second = try store.migrate { try write("x", to: "\($0)/x") }
    #expect(try log.verify().isValid)
    try FileSystem.unlink(store.app.record(second.record.sessionID))
    #expect(try log.verify().isValid)
    let path = store.app.record(first.record.sessionID)
    let text = String(decoding: try #require(try FileSystem.contents(path)), as: UTF8.self)
    try write(text.replacing("\"exitCode\": 0", with: "\"exitCode\": 1"), to: path)
    #expect(try log.verify().changedRecords.map(\.path) == [path])
    #expect(try !log.verify().isValid)
  }

  @Test func `appending reads only the tail of the log`() throws {
    try sessions(3)
    var lines = try lines()
    lines[0] = "garbage"
    try replace(lines)
    try sessions(1)
    #expect(try self.lines().count == 4)
    #expect(try log.verify().invalidEntry?.line == 1)
  }

  @Test func `chains and finds entries longer than the read buffer`() throws {
    var note = LogNote(.ended, at: 0)
    for index in 0..<300 {
      note.time = Int64(index)
      note.session = .init(
        id: SessionID.random(),
        app: "org.example.camera",
        extensionID: "org.example.camera.capture",
        outcome: "completed",
        startedAt: 0,
        endedAt: 0,
        refused: 0,
        recordDigest: try SHA256Digest.of([]),
        // One entry is longer than the read buffer.
        excerpt: .string(String(repeating: "x", count: index == 7 ? 200_000 : 900))
      )
      try log.append(note)
    }
    #expect(try entries().map(\.note.time) == (0..<300).map { Int64($0) })
    #expect(try log.verify().entries == 300)
    #expect(try log.entry(.sequence(8))?.note.session?.excerpt?.string?.utf8.count == 200_000)
    var newest: [Int64] = []
    try log.forEachFromNewest { result in
      newest.append(try! result.get().sequence)
      return newest.count < 2 ? .more : .stop
    }
    #expect(newest == [300, 299])
  }
}
