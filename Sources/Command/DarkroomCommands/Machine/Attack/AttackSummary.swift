// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost

/// What a battery came to.
struct AttackSummary: Sendable {
  /// The policy, as it was named.
  var policy: String
  /// What came of each attempt.
  var results: [AttemptResult]

  /// How many attempts ended so.
  func count(_ verdict: AttemptResult.Verdict) -> Int { results.count { $0.verdict == verdict } }

  /// The attempts that were made outside as well.
  var proofs: [AttemptResult] { results.filter { $0.outside != nil } }
}

/// With what a policy is attacked.
struct LiveAttack {
  /// The program that makes the attempts; nil: the one beside this program.
  var probes: String?
  /// Where the bait goes.
  var place: String
  /// What ends the battery in order.
  var signals: HostSignals
}
