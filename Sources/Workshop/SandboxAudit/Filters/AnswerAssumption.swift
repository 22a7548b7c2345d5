// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis

/// An assumption about a process that answers calls on behalf of a foreign filter.
package struct AnswerAssumption: Sendable, Hashable {
  /// The kinds of processes that answer calls.
  package enum Process: String, Sendable, Hashable {
    /// A supervisor, which answers `USER_NOTIF`.
    case supervisor
    /// A tracer, which answers `TRACE`.
    case tracer
  }

  /// The process.
  package let process: Process
  /// The assumed answer.
  package let answer: Supervision.Response

  /// The action of the filter that the process answers.
  package var action: String {
    switch process {
    case .supervisor: "USER_NOTIF"
    case .tracer: "TRACE"
    }
  }
}

extension Supervision {
  /// Returns the assumptions about the answers to some verdicts. It is empty if no other process answers.
  package func assumptions(about verdicts: some Sequence<Verdict>) -> [AnswerAssumption] {
    let verdicts = Array(verdicts)
    var assumptions: [AnswerAssumption] = []
    if verdicts.contains(.notify) {
      assumptions.append(AnswerAssumption(process: .supervisor, answer: notifications))
    }
    if verdicts.contains(where: { if case .trace = $0 { true } else { false } }) {
      assumptions.append(AnswerAssumption(process: .tracer, answer: traces))
    }
    return assumptions
  }
}
