// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis

/// One answer of a filter, or all answers with one action if there are too many to list.
///
/// A filter of four instructions can return an argument as the error number, and so has 4,096 different
/// answers.
package struct AnswerGroup: Sendable {
  /// The answers, sorted by their return values.
  package let verdicts: [Verdict]

  /// Creates a group of answers with one action.
  package init(_ verdicts: [Verdict]) {
    precondition(!verdicts.isEmpty, "a group has an answer")
    self.verdicts = verdicts.sorted { $0.returnValue < $1.returnValue }
  }

  /// The maximum number of answers with one action that are listed separately.
  static let maximumSeparateAnswers = 16

  /// Returns the groups of all answers of a filter.
  static func groups(of verdicts: [Verdict]) -> [AnswerGroup] {
    let actions = Dictionary(grouping: verdicts, by: action)
    return actions.sorted { $0.key < $1.key }.flatMap { _, verdicts in
      verdicts.count > maximumSeparateAnswers ? [AnswerGroup(verdicts)] : verdicts.map { AnswerGroup([$0]) }
    }
  }

  /// Returns a number that identifies the action of a verdict. All actions that no kernel defines count as
  /// one.
  private static func action(_ verdict: Verdict) -> UInt32 {
    if case .unknown = verdict { 1 } else { verdict.returnValue & 0xFFFF_0000 }
  }

  /// Returns whether a call with one of the answers may be executed.
  package func permits(under supervision: Supervision) -> Bool {
    verdicts.contains { $0.permits(under: supervision) }
  }

  /// The answer, or the action with the number of answers.
  package var text: String {
    guard verdicts.count > 1, let first = verdicts.first else {
      return verdicts.first.map(VerdictText.text) ?? ""
    }
    let action = VerdictText.text(first).prefix { $0 != "(" }
    return "\(action)(\(verdicts.count) values)"
  }
}

extension AnswerGroup: Hashable {
  /// Returns whether both are the same group of one filter's answers. Groups of one filter have no answer in
  /// common.
  package static func == (one: AnswerGroup, other: AnswerGroup) -> Bool {
    one.verdicts.count == other.verdicts.count && one.verdicts.first == other.verdicts.first
      && one.verdicts.last == other.verdicts.last
  }

  /// Hashes the number of answers and the first answer.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(verdicts.count)
    hasher.combine(verdicts.first)
  }
}
