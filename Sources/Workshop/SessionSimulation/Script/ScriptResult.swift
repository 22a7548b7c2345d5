// SPDX-License-Identifier: Apache-2.0

/// The result of a line of a script.
package struct ScriptResult: Sendable, Hashable {
  /// The verdict on a line.
  package enum Verdict: Sendable, Hashable {
    /// The assertion held.
    case passed
    /// The line failed. The associated value is the observation.
    case failed(String)
    /// The line was not reached. The associated value is the reason.
    case notReached(String)
  }

  /// The line number, from 1.
  package var line: Int
  /// The text of the line.
  package var text: String
  package var verdict: Verdict
  /// The time of the verdict in nanoseconds after the launch, or `nil` if it was reached after the end of the
  /// session.
  package var time: UInt64?

  /// Creates a result from its parts.
  package init(line: Int, text: String, verdict: Verdict, time: UInt64? = nil) {
    self.line = line
    self.text = text
    self.verdict = verdict
    self.time = time
  }

  /// Whether the assertion held.
  package var holds: Bool { verdict == .passed }
}
