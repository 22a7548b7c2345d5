// SPDX-License-Identifier: Apache-2.0

import Policies
import PolicyLearning
import SandboxPolicy
import Testing

/// Policies, calls and profiles for tests.
enum LearningFixture {
  /// A shipped policy.
  static func policy(_ name: String) throws -> ResolvedPolicy {
    try #require(try PolicyLibrary(texts: ShippedPolicies.texts).policy(named: name))
  }

  /// Returns a classifier for a shipped policy.
  static func classifier(_ name: String) throws -> CallClassifier {
    CallClassifier(try policy(name), answered: ["sysinfo"])
  }

  /// Returns the classified call under a policy.
  static func call(_ name: String, _ arguments: UInt64..., by policy: String = "capture") throws
    -> LearnedCall
  {
    let number = try #require(SystemCallTable.native.numbers[name])
    let padded = arguments + Array(repeating: 0, count: 6 - arguments.count)
    return try #require(try classifier(policy).classify(number: number, arguments: padded))
  }

  /// Returns a learning profile of runs with the given calls.
  static func profile(_ runs: [[LearnedCall]], base: String = "capture") -> LearningProfile {
    var profile = LearningProfile(base: base, baseDigest: "sha256:0", subject: ["/usr/bin/tool", "-x"])
    for calls in runs {
      var ledger = LearningLedger()
      for call in calls { ledger.record(call) }
      profile.add(ledger, of: .init(at: 1, scope: .refusedCalls, ending: "it ended", calls: calls.count))
    }
    return profile
  }
}
