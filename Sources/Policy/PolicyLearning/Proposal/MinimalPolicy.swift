// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import SandboxPolicy

/// A policy with only the rules that a program was observed to use and the additions that it needs.
package struct MinimalPolicy: Sendable, Hashable {
  /// The policy. Paths, devices, limits and layers are those of the base.
  package var policy: ResolvedPolicy
  /// The names of the calls that the policy allows.
  package var calls: [String] { Self.names(policy) }
  /// The number of calls that the base allows.
  package var baseCallCount: Int

  /// Creates the minimal policy for a profile.
  ///
  /// - Parameters:
  ///   - base: The policy under which the program ran.
  ///   - profile: The profile; at least one of its runs must have recorded all calls.
  ///   - proposal: The additions that the program needs.
  ///   - assumed: Calls that every program makes and no run records.
  init(_ base: ResolvedPolicy, _ profile: LearningProfile, _ proposal: PolicyProposal, assumed: Set<String>) {
    let unused = UnusedRules(base, profile, assumed: assumed)
    let (calls, rules) = (Set(unused.calls), Set(unused.rules))
    policy = base
    policy.calls = base.calls.filter { rule in
      SystemCallTable.native.numbers[rule.call] != nil && !calls.contains(rule.call) && !rules.contains(rule)
    }
    policy.calls += proposal.additions.map(\.rule)
    if proposal.executions > 0 { policy.execute = .any }
    policy.name = PolicyProposal.name(for: profile.subject)
    policy.description =
      "The calls that \(profile.subject.first ?? "a program") needed, of \(base.name) and beyond, in "
      + "\(PolicyProposal.runCount(profile.runs.count))."
    baseCallCount = Self.names(base).count
  }

  /// The policy as a document that extends nothing.
  package var document: JSONValue { policy.flattened }

  private static func names(_ policy: ResolvedPolicy) -> [String] {
    Set(policy.calls.map(\.call)).filter { SystemCallTable.native.numbers[$0] != nil }.sorted()
  }
}
