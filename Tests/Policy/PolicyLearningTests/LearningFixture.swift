// SPDX-License-Identifier: Apache-2.0

import Policies
import PolicyLearning
import SandboxPolicy
import Testing

/// Policies and calls to try things with.
enum LearningFixture {
  /// A shipped policy.
  static func policy(_ name: String) throws -> ResolvedPolicy {
    try #require(try PolicyLibrary(texts: ShippedPolicies.texts).policy(named: name))
  }

  /// A judge of a shipped policy.
  static func judge(_ name: String) throws -> CallJudge { CallJudge(try policy(name), answered: ["sysinfo"]) }

  /// A call as the judge of a policy sees it.
  static func call(_ name: String, _ arguments: UInt64..., by policy: String = "capture") throws
    -> LearnedCall
  {
    let number = try #require(SystemCallTable.native.numbers[name])
    let padded = arguments + Array(repeating: 0, count: 6 - arguments.count)
    return try #require(try judge(policy).judge(number: number, arguments: padded))
  }

  /// A picture of runs that each made some calls.
  static func picture(_ runs: [[LearnedCall]], base: String = "capture") -> LearningPicture {
    var picture = LearningPicture(base: base, baseDigest: "sha256:0", subject: ["/usr/bin/tool", "-x"])
    for calls in runs {
      var ledger = LearningLedger()
      for call in calls { ledger.note(call) }
      picture.add(ledger, of: .init(at: 1, scope: .refusedCalls, ending: "it ended", calls: calls.count))
    }
    return picture
  }
}
