// SPDX-License-Identifier: Apache-2.0

internal import PolicyWords
package import SessionStore

/// What a session was refused, for people.
package enum RefusalOutput {
  /// Returns what is said of the refusals at the end of a session.
  ///
  /// A program that failed may have failed because of them, so each is explained, except for probes if there is anything else.
  /// Of a program that succeeded one line says that there were some. `explained` of them were explained while it ran.
  package static func lines(_ record: SessionRecord, explained: Int = 0) -> [String] {
    let needed = record.refusals.filter { $0.probe == nil }
    let hasFailed = record.outcome.suggestedExitCode != 0
    let candidates = hasFailed ? (needed.isEmpty ? record.refusals : needed) : []
    var lines = candidates.dropFirst(needed.isEmpty ? 0 : explained).map(sentence)
    let known = hasFailed ? candidates : Array(needed.prefix(explained))
    let rest = record.refusals.filter { !known.contains($0) }
    if let summary = summary(rest, hasFailed: hasFailed, record) { lines.append(summary) }
    if hasFailed, let omitted = omitted(record) { lines.append(omitted) }
    return lines
  }

  /// Returns a sentence for every kind of refused call.
  package static func all(_ record: SessionRecord) -> [String] {
    record.refusals.map { ($0.probe == nil ? "" : "probe: ") + sentence($0) }
      + [omitted(record)].compactMap(\.self)
  }

  /// Returns how often something happened, if it happened more than once.
  static func times(_ count: Int64) -> String { count > 1 ? " (\(count) times)" : "" }

  private static func sentence(_ refusal: SessionRecord.Refusal) -> String {
    // The record may be another host's: whoever wrote the sentence, no terminal obeys it.
    TextTable.printable(refusal.sentence) + times(refusal.count)
  }

  /// One line about the refusals that are not explained, which names the command that lists them.
  private static func summary(
    _ refusals: [SessionRecord.Refusal],
    hasFailed: Bool,
    _ record: SessionRecord
  ) -> String? {
    let count = refusals.reduce(hasFailed ? 0 : record.refusalsOmitted) { saturatingSum($0, $1.count) }
    guard count > 0 else { return nil }
    let calls = refusals.reduce(into: [String]()) { names, refusal in
      let name = TextTable.printable(
        "\(refusal.program.isEmpty ? "" : "\(refusal.program): ")\(refusal.call)"
      )
      if !names.contains(name) { names.append(name) }
    }
    let names = calls.prefix(mostNames).joined(separator: ", ") + (calls.count > mostNames ? ", …" : "")
    let what =
      hasFailed
      ? (count == 1 ? "1 probe was refused as well" : "\(count) probes were refused as well")
      : (count == 1
        ? "1 refused call did not stop the program" : "\(count) refused calls did not stop the program")
    return what + (names.isEmpty ? "" : " (\(names))")
      + ": 'darkroom log refusals \(record.sessionID)' lists " + (count == 1 ? "it" : "them")
  }

  private static let mostNames = 4

  private static func omitted(_ record: SessionRecord) -> String? {
    guard record.refusalsOmitted > 0 else { return nil }
    return
      "\(record.refusalsOmitted) more calls were refused, of so many kinds that there was no room to keep them"
  }
}
