// SPDX-License-Identifier: Apache-2.0

internal import PolicyTrials

extension AttackAttempt {
  /// Creates a description of an attempt.
  init(_ attempt: Attempt) {
    (name, category, summary) = (attempt.name, attempt.category, attempt.summary)
    (expectedLayers, isHarmlessOutside) = (attempt.layers, attempt.isHarmlessOutside)
  }
}

extension AttackReport.Result {
  /// Creates a result from that of the attack battery.
  init(_ result: AttemptResult) {
    attempt = AttackAttempt(result.attempt)
    verdict = AttackReport.Verdict(result.verdict)
    layers = result.blockedBy?.layers ?? []
    evidence = result.blockedBy?.evidence.rawValue
    calls = result.blockedBy?.calls ?? []
    note = result.note
    outside = result.outside.map { AttackReport.Verdict($0) }
  }
}

extension AttackReport.Verdict {
  /// Creates a verdict from that of the attack battery.
  fileprivate init(_ verdict: AttemptResult.Verdict) {
    switch verdict {
    case .blocked: self = .blocked
    case .gotThrough: self = .gotThrough
    case .unprotected: self = .unprotected
    case .untried: self = .untried
    }
  }
}
