// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// What recovery has to know of a session and can't see on the disk by itself.
///
/// How far a hand-over has come is not written here but read from the disk, where each step leaves a mark that
/// can't be half there: the record's file, its place, the place of the content. So the two can't disagree, and a
/// step costs no write that it does not need.
struct Journal: Equatable {
  /// The session.
  let sessionID: SessionID
  /// The app's id.
  let app: String
  /// The extension's id.
  let extensionID: String
  /// When the session began, in milliseconds since 1970.
  var startedAt: Int64
  /// The number of the host's process, for people.
  var hostProcess: Int32
  /// Whether it was launched for a debugger; nil: it was not.
  let debugging: SessionRecord.Debugging?
  /// The bounds of the content. The journal holds them because recovery does not know the policy.
  let content: ContentRule
  /// What is known by now.
  var phase: Phase

  /// What is known of the session.
  enum Phase: Equatable {
    /// Its extension was started ahead and waits to be launched: nothing that is there was captured.
    case waiting
    /// It may be running, or its host died.
    case running
    /// It ended like this; the record lacks only the content.
    case ended(SessionRecord)
    /// The record is published, the content is in its place, and this much remains to be erased.
    case erasing(SessionRecord.Erasure)
  }

  /// Writes the journal durably.
  func write(to path: String) throws(StoreError) { try Document.write(json, to: path) }

  /// Reads a journal; nil if there is none.
  static func read(_ path: String) throws(StoreError) -> Journal? {
    guard let value = try Document.read(path) else { return nil }
    do { return try Journal(value) } catch { throw .damaged(path: path, error) }
  }

  /// The journal as it is written.
  var json: JSONValue {
    var draft: SessionRecord?
    var receipt: SessionRecord.Erasure?
    let word: String
    switch phase {
    case .waiting: word = "waiting"
    case .running: word = "running"
    case .ended(let record): (word, draft) = ("ended", record)
    case .erasing(let erasure): (word, receipt) = ("erasing", erasure)
    }
    return .object([
      "version": 1,
      "sessionID": .string(sessionID.description),
      "app": .string(app),
      "extension": .string(extensionID),
      "startedAt": .string(WallClock.text(milliseconds: startedAt)),
      "hostProcess": .integer(Int64(hostProcess)),
      "debugging": debugging.map { .string($0.rawValue) },
      "content": ["form": .string(content.form.rawValue), "mostBytes": .integer(content.mostBytes)],
      "phase": .string(word),
      "record": draft?.json,
      "receipt": receipt?.json,
    ])
  }

  /// Reads what ``json`` writes.
  init(_ value: JSONValue) throws(DocumentFault) {
    let reader = DocumentReader(value)
    guard try reader.integer("version") == 1 else { throw reader.fault("version", "1") }
    guard let id = SessionID(try reader.string("sessionID")) else {
      throw reader.fault("sessionID", "the id of a session")
    }
    sessionID = id
    app = try reader.string("app")
    extensionID = try reader.string("extension")
    startedAt = try reader.moment("startedAt")
    hostProcess = try reader.integer32("hostProcess")
    debugging = try reader.optional("debugging", reader.word)
    // A journal of an earlier version has none.
    content = try reader.optional("content", reader.object).map(ContentRule.init(reading:)) ?? ContentRule()
    switch try reader.string("phase") {
    case "waiting": phase = .waiting
    case "running": phase = .running
    case "ended": phase = .ended(try SessionRecord(json: reader.object("record").value))
    case "erasing": phase = .erasing(try SessionRecord.Erasure(reading: reader.object("receipt")))
    default: throw reader.fault("phase", "waiting, running, ended or erasing")
    }
  }

  /// The journal of a session that is about to run, or to wait.
  init(
    sessionID: SessionID,
    app: String,
    extensionID: String,
    startedAt: Int64,
    hostProcess: Int32,
    debugging: SessionRecord.Debugging? = nil,
    content: ContentRule = ContentRule(),
    phase: Phase = .running
  ) {
    self.sessionID = sessionID
    self.app = app
    self.extensionID = extensionID
    self.startedAt = startedAt
    self.hostProcess = hostProcess
    self.debugging = debugging
    self.content = content
    self.phase = phase
  }
}

extension ContentRule {
  /// Reads what ``Journal/json`` writes.
  fileprivate init(reading reader: DocumentReader) throws(DocumentFault) {
    self.init(try reader.word("form"), mostBytes: try reader.integer("mostBytes"))
  }
}
