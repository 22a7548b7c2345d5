// SPDX-License-Identifier: Apache-2.0

package import CaptureHost

/// What a battery came to.
package struct AttackSummary: Sendable {
  /// The policy, as it was named.
  var policy: String
  /// What came of each attempt.
  package var results: [AttemptResult]

  /// Creates a value from its parts.
  package init(
    policy: String,
    results: [AttemptResult]
  ) {
    self.policy = policy
    self.results = results
  }

  /// How many attempts ended so.
  package func count(_ verdict: AttemptResult.Verdict) -> Int { results.count { $0.verdict == verdict } }

  /// The attempts that were made outside as well.
  var proofs: [AttemptResult] { results.filter { $0.outside != nil } }
}

/// With what a policy is attacked.
package struct LiveAttack {
  /// The program that makes the attempts; nil: the one beside this program.
  package var probes: String?
  /// Where the bait goes.
  package var place: String
  /// What ends the battery in order.
  package var signals: HostSignals

  /// Creates a value from its parts.
  package init(
    probes: String? = nil,
    place: String,
    signals: HostSignals
  ) {
    self.probes = probes
    self.place = place
    self.signals = signals
  }
}
