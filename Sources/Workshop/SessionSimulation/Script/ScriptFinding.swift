// SPDX-License-Identifier: Apache-2.0

/// What has become of a line of a script.
package struct ScriptFinding: Sendable, Hashable {
  /// What there is to say of it.
  package enum Verdict: Sendable, Hashable {
    /// It was as the line says.
    case held
    /// It was not; what was seen.
    case failed(String)
    /// It did not come to that; why.
    case notReached(String)
  }

  /// The line, from 1.
  package var line: Int
  /// The line's words.
  package var text: String
  /// What came of it.
  package var verdict: Verdict
  /// When it was known, in nanoseconds after the launch; nil: it was known when the session had ended.
  package var time: UInt64?

  /// Describes a finding.
  package init(line: Int, text: String, verdict: Verdict, time: UInt64? = nil) {
    self.line = line
    self.text = text
    self.verdict = verdict
    self.time = time
  }

  /// Whether it is as it should be.
  package var holds: Bool { verdict == .held }
}
