// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// The state of a session that recovery needs and cannot derive from the disk.
///
/// The progress of a migration is not stored here. Each step leaves an atomic trace on the disk instead, such
/// as the name of the record file or of the content directory. The two cannot contradict each other, and no
/// step needs an additional write.
struct Journal: Equatable {
  /// The ID of the session.
  let sessionID: SessionID
  /// The ID of the app.
  let app: String
  /// The ID of the extension.
  let extensionID: String
  /// The start of the session in milliseconds since 1970.
  var startedAt: Int64
  /// The process ID of the host.
  var hostProcess: Int32
  /// The debugging state, or `nil` if the session was not launched for debugging.
  let debugging: SessionRecord.Debugging?
  /// The rules for the content. Recovery needs them here because it does not load the policy.
  let content: ContentRule
  /// The phase of the session.
  var phase: Phase

  /// The phase of a session.
  enum Phase: Equatable {
    /// The extension is prewarmed and waits for its launch. Its files are not captures.
    case prewarmed
    /// The session is running, or its host died.
    case running
    /// The session has ended. The draft of the record lacks only the parts about the content.
    case ended(SessionRecord)
    /// The record is published and the content is delivered. The files in the receipt remain to be erased.
    case erasing(SessionRecord.Erasure)
  }

  /// Writes the journal durably.
  func write(to path: String) throws(StoreError) { try Document.write(json, to: path) }

  /// Reads a journal, or returns `nil` if there is none.
  static func read(_ path: String) throws(StoreError) -> Journal? {
    guard let value = try Document.read(path) else { return nil }
    do { return try Journal(value) } catch { throw .damaged(path: path, error) }
  }

  /// The version of the format that this code writes. Version 1 can be read as well: it has other names for
  /// the phase ``Phase/prewarmed`` and for the size limit of the content.
  static let version: Int64 = 2

  /// The journal as JSON.
  var json: JSONValue {
    var draft: SessionRecord?
    var receipt: SessionRecord.Erasure?
    let word: String
    switch phase {
    case .prewarmed: word = "prewarmed"
    case .running: word = "running"
    case .ended(let record): (word, draft) = ("ended", record)
    case .erasing(let erasure): (word, receipt) = ("erasing", erasure)
    }
    return .object([
      "version": .integer(Self.version),
      "sessionID": .string(sessionID.description),
      "app": .string(app),
      "extension": .string(extensionID),
      "startedAt": .string(WallClock.text(milliseconds: startedAt)),
      "hostProcess": .integer(Int64(hostProcess)),
      "debugging": debugging.map { .string($0.rawValue) },
      "content": [
        "form": .string(content.form.rawValue), "maximumBytes": .integer(content.maximumBytes),
      ],
      "phase": .string(word),
      "record": draft?.json,
      "receipt": receipt?.json,
    ])
  }

  /// Parses a journal.
  init(_ value: JSONValue) throws(DocumentFault) {
    let reader = DocumentReader(value)
    let version = try reader.integer("version")
    guard (1...Self.version).contains(version) else { throw reader.fault("version", "1 to \(Self.version)") }
    let isFirstVersion = version == 1
    guard let id = SessionID(try reader.string("sessionID")) else {
      throw reader.fault("sessionID", "a session ID")
    }
    sessionID = id
    app = try reader.string("app")
    extensionID = try reader.string("extension")
    startedAt = try reader.timestamp("startedAt")
    hostProcess = try reader.integer32("hostProcess")
    debugging = try reader.optional("debugging", reader.enumValue)
    // Journals of earlier versions lack this member.
    let content = try reader.optional("content", reader.object)
    self.content =
      try content.map { (content) throws(DocumentFault) in
        try ContentRule(reading: content, maximum: isFirstVersion ? "mostBytes" : "maximumBytes")
      } ?? ContentRule()
    switch try reader.string("phase") {
    case "waiting" where isFirstVersion: phase = .prewarmed
    case "prewarmed" where !isFirstVersion: phase = .prewarmed
    case "running": phase = .running
    case "ended": phase = .ended(try SessionRecord(json: reader.object("record").value))
    case "erasing": phase = .erasing(try SessionRecord.Erasure(reading: reader.object("receipt")))
    default: throw reader.fault("phase", "prewarmed, running, ended or erasing")
    }
  }

  /// Creates the journal of a session.
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
  /// Parses the rules for the content. The size limit is the member with the name `maximum`.
  fileprivate init(reading reader: DocumentReader, maximum: String) throws(DocumentFault) {
    self.init(try reader.enumValue("form"), maximumBytes: try reader.integer(maximum))
  }
}
