// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Parsing and reserialization of internal documents of the store, for tests.
package enum DocumentRoundTrip {
  /// Parses the journal of a session and serializes it again.
  package static func journal(_ text: [UInt8]) throws(DocumentFault) -> [UInt8] {
    let value: JSONValue
    do { value = try JSONNode.parse(text, limits: .record).value } catch { throw .syntax("\(error)") }
    return try Journal(value).json.bytes(.indented)
  }

  /// The parts of a log line to read.
  package enum Part: Sendable {
    /// Everything except the record.
    case summary
    /// The complete line.
    case whole
  }

  /// Parses a line of the session log and serializes it again.
  package static func logLine(_ text: [UInt8], _ part: Part) throws(DocumentFault) -> [UInt8] {
    try LogLine.read(text, part == .summary ? .summary : .whole).json.bytes(.compact)
  }
}
