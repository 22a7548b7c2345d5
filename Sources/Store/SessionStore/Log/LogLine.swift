// SPDX-License-Identifier: Apache-2.0

internal import Digests
package import JSONText
internal import LinuxPrimitives

/// The text of an entry: one JSON object, in which the last member is the digest of the text before it.
enum LogLine {
  /// The start of the digest member.
  private static let digestBegin = Array(",\"digest\":\"".utf8)
  /// The end of the line.
  private static let digestEnd = Array("\"}".utf8)
  /// The length of `sha256:` and 64 digits.
  private static let digestLength = 71
  /// The start of the record member, which a summary leaves out. JSON strings cannot contain it, because
  /// their quotes are escaped.
  private static let essenceBegin = Array(",\"record\":".utf8)

  /// Serializes an entry.
  ///
  /// - Returns: The line without its line break, and the entry.
  static func write(
    _ note: LogNote,
    sequence: Int64,
    previous: SHA256Digest
  ) throws(StoreError) -> (line: [UInt8], entry: LogEntry) {
    var line = Array(json(note, sequence, previous).bytes(.compact).dropLast())
    let digest = try digest(of: line)
    // In steps, because the type checker takes long for a single expression with several `+` operators.
    line += digestBegin
    line += "\(digest)".utf8
    line += digestEnd
    return (line, LogEntry(sequence: sequence, note: note, previous: previous, digest: digest))
  }

  /// Returns the members of an entry without its digest.
  fileprivate static func json(_ note: LogNote, _ sequence: Int64, _ previous: SHA256Digest) -> JSONValue {
    let session = note.session
    let quarantined: [JSONValue] = note.quarantined.map {
      ["file": .string($0.file), "bytes": .integer($0.bytes), "digest": .string("\($0.digest)")]
    }
    return .object([
      "sequence": .integer(sequence),
      "time": .string(WallClock.text(milliseconds: note.time)),
      "kind": .string(note.kind.rawValue),
      "session": session.map { .string($0.id.description) },
      "app": session.map { .string($0.app) },
      "extension": session.map { .string($0.extensionID) },
      "outcome": session.map { .string($0.outcome) },
      "startedAt": session.map { .string(WallClock.text(milliseconds: $0.startedAt)) },
      "endedAt": session.map { .string(WallClock.text(milliseconds: $0.endedAt)) },
      "refused": session.map { .integer($0.refused) },
      "recordDigest": session.map { .string("\($0.recordDigest)") },
      "previous": .string("\(previous)"),
      "quarantined": quarantined.isEmpty ? nil : .array(quarantined),
      "record": session?.excerpt,
    ])
  }

  /// Parses a line. The digest is not verified.
  static func read(_ line: [UInt8], _ part: LogEntryPart) throws(DocumentFault) -> LogEntry {
    let text: [UInt8]
    if part == .summary, let cut = ByteSearch.first(essenceBegin, in: line), let body = body(of: line) {
      text = Array(line[..<cut] + line[body.count...])
    } else {
      text = line
    }
    let value: JSONValue
    do { value = try JSONNode.parse(text, limits: limits).value } catch { throw .syntax("\(error)") }
    return try LogEntry(DocumentReader(value))
  }

  /// The limits for parsing a line, far above the size of written lines.
  private static let limits = JSONLimits(bytes: 4 << 20, depth: 32)

  /// Returns the digested part of a line, or `nil` if the line does not end with a digest.
  private static func body(of line: [UInt8]) -> ArraySlice<UInt8>? {
    let length = digestBegin.count + digestLength + digestEnd.count
    guard line.count > length, line[(line.count - length)...].starts(with: digestBegin) else { return nil }
    return line[..<(line.count - length)]
  }

  /// Returns the digest computed from the text of a line, or `nil` if the line does not end with a digest.
  static func computedDigest(of line: [UInt8]) throws(StoreError) -> SHA256Digest? {
    try body(of: line).map { body throws(StoreError) in try digest(of: Array(body)) }
  }

  /// Returns the digest of bytes.
  static func digest(of bytes: [UInt8]) throws(StoreError) -> SHA256Digest {
    do { return try SHA256Digest.of(bytes) } catch { throw .digest(error) }
  }

  /// Whether a line concerns a session. Only the beginning of the line is searched, which contains the
  /// session ID.
  static func isAbout(_ session: SessionID, _ line: [UInt8]) -> Bool {
    ByteSearch.first(Array("\"session\":\"\(session)\"".utf8), in: Array(line.prefix(256))) != nil
  }
}

extension LogEntry {
  /// The entry as a JSON object.
  package var json: JSONValue {
    let members = LogLine.json(note, sequence, previous).members ?? []
    return .object(members + [.init("digest", .string("\(digest)"))])
  }

  /// Parses the members of an entry.
  fileprivate init(_ reader: DocumentReader) throws(DocumentFault) {
    func digest(_ reader: DocumentReader, _ name: String) throws(DocumentFault) -> SHA256Digest {
      guard let digest = SHA256Digest(try reader.string(name)) else {
        throw reader.fault(name, "sha256: and 64 lower-case hexadecimal digits")
      }
      return digest
    }
    guard let kind = LogNote.Kind.named(try reader.string("kind")) else {
      throw reader.fault("kind", "a word that Darkroom knows")
    }
    var note = LogNote(kind, at: try reader.timestamp("time"))
    if let text = try reader.optional("session", reader.string) {
      guard let id = SessionID(text) else { throw reader.fault("session", "a session ID") }
      note.session = LogNote.Session(
        id: id,
        app: try reader.string("app"),
        extensionID: try reader.string("extension"),
        outcome: try reader.string("outcome"),
        startedAt: try reader.timestamp("startedAt"),
        endedAt: try reader.timestamp("endedAt"),
        refused: try reader.integer("refused"),
        recordDigest: try digest(reader, "recordDigest"),
        excerpt: reader.value["record"]
      )
    }
    // Earlier versions wrote this member as `aside`.
    let quarantined = reader.value["quarantined"] == nil ? "aside" : "quarantined"
    note.quarantined = try reader.objects(quarantined) { item throws(DocumentFault) in
      LogNote.Quarantined(
        file: try item.string("file"),
        bytes: try item.integer("bytes"),
        digest: try digest(item, "digest")
      )
    }
    self.init(
      sequence: try reader.integer("sequence"),
      note: note,
      previous: try digest(reader, "previous"),
      digest: try digest(reader, "digest")
    )
  }
}
