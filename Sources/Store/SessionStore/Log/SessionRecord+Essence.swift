// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension SessionRecord {
  /// The record as the log has it: without what the extension itself has named, and without what is long.
  ///
  /// The names of files must not outlive the app that they were handed to. The digest of the whole record commits to
  /// them all the same.
  var essence: JSONValue {
    let left: Set<String> = [
      "steps", "cameraControls", "files", "ingested", "quarantined", "normalised", "erased", "refusals",
      "violations",
    ]
    // None of what is left in is made piece by piece.
    var members = parts.filter { !left.contains($0.name) }.compactMap { part -> JSONValue.Member? in
      if case .value(let value) = part.content { JSONValue.Member(part.name, value) } else { nil }
    }
    func add(_ name: String, _ value: JSONValue) { members.append(.init(name, value)) }
    add("quarantinedCount", .integer(Int64(quarantined.count)))
    add("normalisedCount", .integer(Int64(normalised.count)))
    add("ingestedCount", .integer(Int64(ingested.count)))
    add("violations", .array(violations.prefix(Self.mostViolations).map { .string(Self.short($0)) }))
    add("violationsCount", .integer(Int64(violations.count)))
    add("refusals", .array(refusals.prefix(Self.mostRefusals).map(Self.essence)))
    add("refusalsCount", .integer(refusedCalls))
    return .object(members)
  }

  /// How many calls were refused, counting equal ones.
  package var refusedCalls: Int64 {
    refusals.reduce(refusalsOmitted) { saturatingSum($0, $1.count) }
  }

  /// A refused call without its arguments as data: which, by which layer, how often, and all of it in a sentence.
  private static func essence(_ refusal: Refusal) -> JSONValue {
    [
      "layer": .string(refusal.layer), "call": .string(refusal.call), "count": .integer(refusal.count),
      "errno": .string(refusal.errno), "reason": .string(short(refusal.reason)),
      "sentence": .string(short(refusal.sentence)),
    ]
  }

  private static var mostRefusals: Int { 16 }
  private static var mostViolations: Int { 16 }

  /// A text that is not longer than a sentence has to be.
  private static func short(_ text: String) -> String {
    text.unicodeScalars.count <= 500
      ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(500))) + "…"
  }
}
