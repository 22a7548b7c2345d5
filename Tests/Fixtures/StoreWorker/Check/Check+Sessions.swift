// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import JSONText
internal import LinuxPrimitives
internal import PhotoLibrary
internal import SessionStore

/// Checks of session content and records.
extension Check {
  /// Checks all sessions.
  func checkSessions() throws {
    let app = try world.app()
    for (text, session) in promises.sessions {
      guard let id = SessionID(text) else {
        fail("\(text) is not a session ID")
        continue
      }
      try check(id, session, app)
    }
    try checkLog()
    // A session that terminated before it was reported to the client has written nothing.
    for name in try FileSystem.names(in: app.contentDirectory)
    where promises.sessions[name] == nil && !promises.misbehavingSessions.contains(name) {
      fail("content of the session \(name), which was not started")
    }
  }

  private func check(_ id: SessionID, _ session: Promises.Session, _ app: AppStore) throws {
    if session.mayBeRemoved || session.reportedStates.contains("abandoning") { return }
    let content = app.content(id)
    let exists = try FileSystem.status(content)?.kind == .directory
    let found = exists ? try files(below: content, id) : [:]
    if session.reportedStates.contains("invalidated") {
      expect(!exists, "\(id) was invalidated, but still exists")
    }
    let mayBeMissing = session.reportedStates.contains("invalidating") && !exists
    if !mayBeMissing { try compare(found, session, id) }
    guard try FileSystem.status(app.record(id)) != nil else {
      fail("\(id) has no record")
      return
    }
    let bytes = try FileSystem.contents(app.record(id)) ?? []
    let record = try SessionRecord(json: JSONNode.parse(bytes, limits: .record).value)
    if !mayBeMissing {
      check(record, found, id)
      checkRenames(record, session, found, id)
    }
    let taken = record.erased.count { $0.what == "content" }
    expect(
      taken == (mayBeMissing ? 1 : 0),
      "\(id) has \(taken) receipts of content, which is \(exists ? "" : "not ")there"
    )
    try checkQuarantine(record, session, app)
    let erased = record.erased.count { $0.what == "session directory" }
    // The log text itself is not durable, but its receipt is.
    let isCertain =
      session.reportedStates.contains("spoke")
      && (!isAfterPowerFailure || session.reportedStates.contains("ended"))
    let possible = session.plan.writesLog ? (isCertain ? 1...1 : 0...1) : 0...0
    expect(possible.contains(erased), "\(id) has \(erased) receipts of its directory")
    if let ingest = session.ingest, session.reportedStates.contains("ingested") {
      expect(record.ingested.map(\.path) == [ingest], "\(id) has ingested \(record.ingested)")
    }
  }

  /// Whether the files of a session must be exactly as its extension wrote them.
  private func isStrict(_ session: Promises.Session) -> Bool {
    !isAfterPowerFailure || session.reportedStates.contains("delivered")
  }

  /// Compares the existing files with the written ones.
  private func compare(_ found: [String: [UInt8]], _ session: Promises.Session, _ id: SessionID) throws {
    if session.reportedStates.contains("erased") {
      return expect(found.isEmpty, "\(id) was erased, but still exists")
    }
    let mayBeErased = session.reportedStates.contains("erasing")
    var known: Set<String> = []
    for entry in session.plan.entries {
      guard case .file(let count) = entry.kind else { continue }
      known.insert(entry.delivered)
      // A name is kept if the colliding name was not durable.
      if !isStrict(session) { known.insert(entry.path) }
      let bytes = Plan.bytes(entry.path, count)
      let isWritten = session.written.contains(entry.path)
      guard let there = found[entry.delivered] ?? (isStrict(session) ? nil : found[entry.path]) else {
        if isWritten, isStrict(session), !mayBeErased { try checkIngested(entry, session, id) }
        continue
      }
      if isWritten, isStrict(session) {
        expect(there == bytes, "\(id) \(entry.path) has \(there.count) bytes that are not what was written")
      } else if !isAfterPowerFailure {
        expect(bytes.starts(with: there), "\(id) \(entry.path) has bytes that were never written")
      }
      if session.ingest == entry.path, session.reportedStates.isSuperset(of: ["ingesting", "ingested"]) {
        fail("\(id) \(entry.path) is in the library and was delivered too")
      }
    }
    for path in found.keys where !known.contains(path) {
      fail("\(id) \(path) should not have been delivered")
    }
  }

  /// Checks that an undelivered file is in the library, or in quarantine if its sanitization was refused.
  private func checkIngested(_ entry: Plan.Entry, _ session: Promises.Session, _ id: SessionID) throws {
    if isRefused, try isQuarantined(entry, id) { return }
    let path = entry.path
    guard session.ingest == path, session.reportedStates.contains("ingesting") else {
      return fail("\(id) \(path) is lost")
    }
    expect(try ingested().contains { $0.session == id.description }, "\(id) \(path) is lost")
  }

  /// Whether a file is in quarantine with its bytes, individually or in a directory.
  private func isQuarantined(_ entry: Plan.Entry, _ id: SessionID) throws -> Bool {
    let directory = try world.app().quarantine(id)
    guard try FileSystem.status(directory) != nil else { return false }
    let list = String(decoding: try FileSystem.contents("\(directory)/list.ndjson") ?? [], as: UTF8.self)
    for line in list.split(separator: "\n") {
      guard let value = try? JSONNode.parse(Array(line.utf8)).value, let item = value["path"]?.string,
        let index = value["index"]?.integer, entry.isAtOrBelow(item)
      else { continue }
      // Names in a quarantined directory are not changed.
      let inside = entry.path.split(separator: "/").dropFirst(item.split(separator: "/").count)
      let file = (["\(directory)/items/\(index)"] + inside.map(String.init)).joined(separator: "/")
      let bytes = try FileSystem.contents(file) ?? []
      return bytes == Plan.bytes(entry.path, bytes.count)
    }
    return false
  }

  /// Checks that the record has the old name of each renamed file, and of no other.
  private func checkRenames(
    _ record: SessionRecord,
    _ session: Promises.Session,
    _ found: [String: [UInt8]],
    _ id: SessionID
  ) {
    var (wanted, possible): ([String: String], [String: String]) = ([:], [:])
    for entry in session.plan.entries {
      let (old, new) = (entry.path.split(separator: "/"), entry.delivered.split(separator: "/"))
      for index in old.indices where old[index] != new[index] {
        let path = new[...index].joined(separator: "/")
        possible[path] = String(old[index])
        if found[entry.delivered] != nil { wanted[path] = String(old[index]) }
      }
    }
    let renames = record.sanitized.filter { $0.change == .renamed }.map { ($0.path, $0.from ?? "") }
    let recorded = Dictionary(renames) { first, _ in first }
    let missing = wanted.filter { recorded[$0.key] != $0.value }
    expect(
      missing.isEmpty && recorded.count == renames.count,
      "the record of \(id) lacks the old names \(missing)"
    )
    // A directory can exist without its files.
    let others = recorded.filter { possible[$0.key] != $0.value }
    expect(others.isEmpty, "the record of \(id) has the old names \(others)")
  }

  /// Compares a record with the existing files.
  private func check(_ record: SessionRecord, _ found: [String: [UInt8]], _ id: SessionID) {
    expect(
      Set(record.files.map(\.path)) == Set(found.keys) && record.files.count == found.count,
      "the record of \(id) names \(record.files.map(\.path)), but there are \(found.keys.sorted())"
    )
    for file in record.files {
      guard let bytes = found[file.path] else { continue }
      expect(file.size == bytes.count, "the record of \(id) says that \(file.path) has \(file.size) bytes")
      expect(
        file.sha256 == (try? SHA256Digest.of(bytes))?.description,
        "the record of \(id) has another digest of \(file.path)"
      )
    }
    let bytes = found.values.reduce(0) { $0 + Int64($1.count) }
    let content = SessionRecord.Content(
      files: Int64(found.count),
      bytes: bytes,
      delivered: !found.isEmpty,
      renamed: Int64(record.sanitized.count { $0.change == .renamed })
    )
    expect(record.content == content, "the record of \(id) sums up \(record.content)")
  }

  /// Checks that rejected entries are in quarantine and in the record.
  private func checkQuarantine(_ record: SessionRecord, _ session: Promises.Session, _ app: AppStore) throws {
    var known: Set<SessionRecord.Quarantined> = []
    for entry in session.plan.entries {
      guard case .rejected(let reason) = entry.kind else { continue }
      let item = SessionRecord.Quarantined(path: entry.path, reason: reason)
      known.insert(item)
      if session.written.contains(entry.path), isStrict(session) {
        // Alternatively, its directory is quarantined as a whole because it could not be read.
        let isInside =
          isRefused
          && record.quarantined.contains {
            mayBeRefused($0, session.plan) && entry.path.hasPrefix("\($0.path)/")
          }
        expect(
          isInside || record.quarantined.contains(item),
          "\(record.sessionID) has no \(item) in quarantine"
        )
      }
    }
    for item in record.quarantined
    where !known.contains(item) && !mayBeRefused(item, session.plan) {
      fail("\(record.sessionID) has \(item) in quarantine")
    }
    let items = try FileSystem.names(in: "\(app.quarantine(record.sessionID))/items")
    expect(
      items.count == record.quarantined.count,
      "\(record.sessionID) has \(items.count) items in quarantine"
    )
  }

  /// Whether an entry may be in quarantine because a call was refused: its mode or owner could not be
  /// changed, or its name is not portable and could not be changed.
  private func mayBeRefused(_ item: SessionRecord.Quarantined, _ plan: Plan) -> Bool {
    guard isRefused else { return false }
    switch item.reason {
    case .notSanitizable: return true
    case .nameNotPortable: return plan.entries.contains { $0.isBeforeRename(at: item.path) }
    default: return false
    }
  }

  /// Returns the files below a content directory and checks that they are regular and sanitized.
  private func files(below top: String, _ id: SessionID) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for entry in try Tree.list(top) {
      let mode: UInt32 = entry.status.kind == .directory ? 0o700 : 0o600
      expect(entry.status.permissions == mode, "\(id) \(entry.path) has the mode \(entry.status.permissions)")
      switch entry.status.kind {
      case .directory: continue
      case .regular: found[entry.path] = try FileSystem.contents("\(top)/\(entry.path)")
      default: fail("\(id) \(entry.path) is a \(entry.status.kind.rawValue)")
      }
    }
    return found
  }

  /// Checks that each session is in the log exactly once.
  private func checkLog() throws {
    var counts: [String: Int] = [:]
    try SessionLog(world.root).forEachFromNewest { result in
      if case .success(let entry) = result, let session = entry.note.session {
        counts[session.id.description, default: 0] += 1
      }
      return .more
    }
    for (id, session) in promises.sessions where !session.reportedStates.contains("abandoning") {
      expect(counts[id] == 1, "\(id) is \(counts[id] ?? 0) times in the log")
    }
    for id in promises.misbehavingSessions {
      expect(counts[id] == 1, "\(id) is \(counts[id] ?? 0) times in the log")
    }
  }
}
