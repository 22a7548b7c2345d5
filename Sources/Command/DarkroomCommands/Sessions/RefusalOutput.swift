// SPDX-License-Identifier: Apache-2.0

internal import PolicyExplanation
package import SessionStore

/// The output about the refused calls of a session.
package enum RefusalOutput {
  /// Returns the lines about refusals that are printed at the end of a session.
  ///
  /// If the program failed, the refusals may be the reason: each one is explained, except probes if there are
  /// other refusals. If the program succeeded, one line summarizes the refusals. `explained` is the number of
  /// refusals that were already explained while the program ran.
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

  /// Returns a sentence for each kind of refused call.
  package static func all(_ record: SessionRecord) -> [String] {
    record.refusals.map { ($0.probe == nil ? "" : "probe: ") + sentence($0) }
      + [omitted(record)].compactMap(\.self)
  }

  /// Returns the number of occurrences in parentheses, or an empty string for a single occurrence.
  static func times(_ count: Int64) -> String { count > 1 ? " (\(count) times)" : "" }

  private static func sentence(_ refusal: SessionRecord.Refusal) -> String {
    // The sentence can come from the record of another host. Control characters are escaped for the terminal.
    TextTable.printable(refusal.explanation.sentence) + times(refusal.call.count)
  }

  /// Returns one line about the unexplained refusals, with the command that lists them, or `nil` if there are
  /// none.
  private static func summary(
    _ refusals: [SessionRecord.Refusal],
    hasFailed: Bool,
    _ record: SessionRecord
  ) -> String? {
    let count = refusals.reduce(hasFailed ? 0 : record.refusalsOmitted) { saturatingSum($0, $1.call.count) }
    guard count > 0 else { return nil }
    let calls = refusals.reduce(into: [String]()) { names, refusal in
      let name = TextTable.printable(
        "\(refusal.call.program.isEmpty ? "" : "\(refusal.call.program): ")\(refusal.call.name)"
      )
      if !names.contains(name) { names.append(name) }
    }
    let names = calls.prefix(maximumNames).joined(separator: ", ") + (calls.count > maximumNames ? ", …" : "")
    let what =
      hasFailed
      ? (count == 1 ? "1 other call was refused, too" : "\(count) other calls were refused, too")
      : (count == 1
        ? "1 refused call did not stop the program" : "\(count) refused calls did not stop the program")
    return what + (names.isEmpty ? "" : " (\(names))")
      + ": 'darkroom logs refusals \(record.sessionID)' lists " + (count == 1 ? "it" : "them")
  }

  private static let maximumNames = 4

  private static func omitted(_ record: SessionRecord) -> String? {
    guard record.refusalsOmitted > 0 else { return nil }
    return
      "\(record.refusalsOmitted) more calls were refused but not recorded, because there were too many kinds of calls"
  }
}
