// SPDX-License-Identifier: Apache-2.0

package import SessionStore

/// What a session was refused, for whoever ran it.
package enum RefusalOutput {
  /// One line for each kind of refusal, with how often there was one.
  package static func lines(_ record: SessionRecord) -> [String] {
    var lines = record.refusals.map { refusal in
      let times = refusal.count > 1 ? " (\(refusal.count) times)" : ""
      // The record may be another host's: whoever wrote the sentence, no terminal obeys it.
      return TextTable.printable(refusal.sentence) + times
    }
    if record.refusalsOmitted > 0 {
      lines.append(
        "\(record.refusalsOmitted) more calls were refused, of so many kinds that there was no room to keep them"
      )
    }
    return lines
  }
}
