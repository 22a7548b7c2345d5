// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension SessionRecord {
  /// The part of the record that the session log contains: without names chosen by the extension and without
  /// long lists.
  ///
  /// Names of files must not outlive the app to which the files were delivered. The digest of the complete
  /// record covers them nevertheless.
  var excerpt: JSONValue {
    let omitted: Set<String> = [
      "steps", "cameraControls", "files", "ingested", "quarantined", "sanitized", "erased", "refusals",
      "violations",
    ]
    // All remaining members are values; only omitted ones are written in pieces.
    var members = parts.filter { !omitted.contains($0.name) }.compactMap { part -> JSONValue.Member? in
      if case .value(let value) = part.content { JSONValue.Member(part.name, value) } else { nil }
    }
    func add(_ name: String, _ value: JSONValue) { members.append(.init(name, value)) }
    add("quarantinedCount", .integer(Int64(quarantined.count)))
    add("sanitizedCount", .integer(Int64(sanitized.count)))
    add("ingestedCount", .integer(Int64(ingested.count)))
    add("violations", .array(violations.prefix(Self.maximumViolations).map { .string(Self.truncated($0)) }))
    add("violationsCount", .integer(Int64(violations.count)))
    add("refusals", .array(refusals.prefix(Self.maximumRefusals).map(Self.excerpt)))
    add("refusalsCount", .integer(refusedCalls))
    return .object(members)
  }

  /// The number of refused calls, including repetitions and omitted calls.
  package var refusedCalls: Int64 {
    refusals.reduce(refusalsOmitted) { saturatingSum($0, $1.call.count) }
  }

  /// Returns a refused call without its arguments as data: the call, its layer, its count and a sentence.
  private static func excerpt(_ refusal: Refusal) -> JSONValue {
    [
      "layer": .string(refusal.layer), "call": .string(refusal.call.name),
      "count": .integer(refusal.call.count),
      "errno": .string(refusal.errno), "reason": .string(truncated(refusal.explanation.reason)),
      "sentence": .string(truncated(refusal.explanation.sentence)),
    ]
  }

  private static var maximumRefusals: Int { 16 }
  private static var maximumViolations: Int { 16 }

  /// Returns a text truncated to the length of a sentence.
  private static func truncated(_ text: String) -> String {
    text.unicodeScalars.count <= 500
      ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(500))) + "…"
  }
}
