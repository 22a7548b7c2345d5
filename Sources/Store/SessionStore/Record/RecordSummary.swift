// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// What a list says of a session: its record without all that grows with what the session did.
package struct RecordSummary: Hashable, Sendable {
  /// The extension's id.
  package let extensionID: String
  /// When the session began, in milliseconds since 1970.
  package let startedAt: Int64
  /// When no process of the session was left.
  package let endedAt: Int64
  /// How it ended.
  package let outcome: SessionOutcome
  /// What was handed over, in sum.
  package let content: SessionRecord.Content

  /// The summary of a record.
  package init(_ record: SessionRecord) {
    extensionID = record.extensionID
    startedAt = record.startedAt
    endedAt = record.endedAt
    outcome = record.outcome
    content = record.content
  }

  /// Reads the beginning of a record's file, and the rest only where that does not do; nil if there is no such file.
  static func read(_ path: String) throws(StoreError) -> RecordSummary? {
    let beginning: [UInt8]
    do {
      let file = try FileSystem.open(path, [.noFollow])
      beginning = try file.readBeginning(RecordBeginning.longest)
    } catch  where error.errno == .noSuchFile {
      return nil
    } catch { throw .system(error) }
    if let summary = RecordSummary(beginning: beginning) { return summary }
    return try RecordFile.read(path).map(RecordSummary.init)
  }

  /// Reads the beginning of the text of a record; nil if it is not laid out as the store does it.
  package init?(beginning text: [UInt8]) {
    guard let json = RecordBeginning.json(text) else { return nil }
    // What is left out may be missing in every record.
    guard let record = try? SessionRecord(json: json) else { return nil }
    self.init(record)
  }
}

/// The members of a record that a list needs, cut out of its text.
///
/// The store writes one member of the record a line, behind two spaces; and no string of JSON holds a line's end. The
/// sums stand before the names of the files, so that the beginning of the file has all of it.
private enum RecordBeginning {
  /// As much as is read first; the beginning of most records is a tenth of it.
  static let longest = 16 << 10

  /// What is needed, in the order in which it is written.
  private static let needed: Set<String> = [
    "version", "sessionID", "app", "extension", "startedAt", "endedAt", "outcome", "dismissal", "content",
  ]
  /// The last of them.
  private static let last = "content"
  /// Begins a member of the record itself.
  private static let begin = Array("\n  \"".utf8)

  /// The document of what is needed; nil if the text ends before it is all there.
  static func json(_ text: [UInt8]) -> JSONValue? {
    var members: [UInt8] = []
    var place = ByteSearch.first(begin, in: text)
    while let start = place {
      guard let next = ByteSearch.first(begin, in: text, from: start + 1) else { return nil }
      let member = text[(start + begin.count - 1)..<next]
      let name = String(decoding: member.dropFirst().prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
      if needed.contains(name) { members += member }
      if name == last {
        if members.last == UInt8(ascii: ",") { members.removeLast() }
        let document = [UInt8(ascii: "{")] + members + [UInt8(ascii: "}")]
        return try? JSONNode.parse(document).value
      }
      place = next
    }
    return nil
  }
}

extension Descriptor {
  /// Reads so many bytes, fewer only at the end.
  fileprivate borrowing func readBeginning(_ count: Int) throws(SystemCallError) -> [UInt8] {
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
