// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The texts of documents that only the store itself reads; for tests, which write what was read.
package enum StoredText {
  /// Reads the journal of a session, and writes it.
  package static func journal(_ text: [UInt8]) throws(DocumentFault) -> [UInt8] {
    let value: JSONValue
    do { value = try JSONNode.parse(text, limits: .record).value } catch { throw .syntax("\(error)") }
    return try Journal(value).json.bytes(.indented)
  }

  /// How much of a line of the session log is read.
  package enum Part: Sendable {
    /// Everything but the record.
    case summary
    /// All of it.
    case whole
  }

  /// Reads a line of the session log, and writes what stands in it.
  package static func logLine(_ text: [UInt8], _ part: Part) throws(DocumentFault) -> [UInt8] {
    try LogLine.read(text, part == .summary ? .summary : .whole).json.bytes(.compact)
  }
}
