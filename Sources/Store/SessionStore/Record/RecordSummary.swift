// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// The summary of a session record for lists: the parts whose size does not depend on the session.
package struct RecordSummary: Hashable, Sendable {
  /// The ID of the extension.
  package let extensionID: String
  /// The start of the session in milliseconds since 1970.
  package let startedAt: Int64
  /// The time in milliseconds since 1970 at which the last process of the session exited.
  package let endedAt: Int64
  /// The outcome of the session.
  package let outcome: SessionOutcome
  /// The totals of the delivered content.
  package let content: SessionRecord.Content

  /// Creates the summary of a record.
  package init(_ record: SessionRecord) {
    extensionID = record.extensionID
    startedAt = record.startedAt
    endedAt = record.endedAt
    outcome = record.outcome
    content = record.content
  }

  /// Reads a summary from the start of a record file, or from the whole file if necessary. Returns `nil` if
  /// the file does not exist.
  static func read(_ path: String) throws(StoreError) -> RecordSummary? {
    let beginning: [UInt8]
    do {
      let file = try FileSystem.open(path, [.noFollow])
      beginning = try file.readPrefix(RecordPrefix.longest)
    } catch  where error.errno == .noSuchFile {
      return nil
    } catch { throw .system(error) }
    if let summary = RecordSummary(beginning: beginning) { return summary }
    return try RecordFile.read(path).map(RecordSummary.init)
  }

  /// Creates a summary from the start of a record's text, or returns `nil` if the text does not have the
  /// layout of the store.
  package init?(beginning text: [UInt8]) {
    guard let json = RecordPrefix.json(text) else { return nil }
    // All omitted members are optional.
    guard let record = try? SessionRecord(json: json) else { return nil }
    self.init(record)
  }
}

/// Extraction of the members of a summary from the text of a record.
///
/// The store writes each member of the record on a new line with two spaces of indentation, and JSON strings
/// cannot contain line breaks. Totals precede the lists of files, so that the start of the file suffices.
private enum RecordPrefix {
  /// The number of bytes to read. Most records need a tenth of it.
  static let longest = 16 << 10

  /// The needed members, in written order.
  private static let needed: Set<String> = [
    "version", "sessionID", "app", "extension", "startedAt", "endedAt", "outcome", "dismissal", "content",
  ]
  /// The last needed member.
  private static let last = "content"
  /// The start of a member of the record itself.
  private static let begin = Array("\n  \"".utf8)

  /// Returns a document with the needed members, or `nil` if the text ends before the last one.
  static func json(_ text: [UInt8]) -> JSONValue? {
    var members: [UInt8] = []
    var position = ByteSearch.first(begin, in: text)
    while let start = position {
      guard let next = ByteSearch.first(begin, in: text, from: start + 1) else { return nil }
      let member = text[(start + begin.count - 1)..<next]
      let name = String(decoding: member.dropFirst().prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
      if needed.contains(name) { members += member }
      if name == last {
        if members.last == UInt8(ascii: ",") { members.removeLast() }
        let document = [UInt8(ascii: "{")] + members + [UInt8(ascii: "}")]
        return try? JSONNode.parse(document).value
      }
      position = next
    }
    return nil
  }
}

extension Descriptor {
  /// Reads the given number of bytes, or fewer at the end of the file.
  fileprivate borrowing func readPrefix(_ count: Int) throws(SystemCallError) -> [UInt8] {
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    defer { chunk.deallocate() }
    var filled = 0
    while filled < count,
      case .bytes(let more) = try read(into: UnsafeMutableRawBufferPointer(rebasing: chunk[filled...]))
    {
      filled += more
    }
    return Array(chunk[..<filled])
  }
}
