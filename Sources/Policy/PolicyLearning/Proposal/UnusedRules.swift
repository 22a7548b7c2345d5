// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import Refusals
package import SandboxPolicy

/// The rules of a policy that a program was never observed to use.
package struct UnusedRules: Sendable, Hashable {
  /// The names of the calls without any used rule.
  package var calls: [String] = []
  /// The unused rules of calls that have used rules, too.
  package var rules: [SyscallRule] = []

  /// Compares a policy with a profile. `assumed` are calls that every program makes and no run records.
  package init(_ policy: ResolvedPolicy, _ profile: LearningProfile, assumed: Set<String>) {
    let used = Dictionary(grouping: profile.kinds(.used), by: \.call.call)
    let crowded = Set(profile.summaries.filter { $0.status == .used }.map(\.call))
    for (call, rules) in Dictionary(grouping: policy.calls, by: \.call).sorted(by: { $0.key < $1.key })
    where SystemCallTable.native.numbers[call] != nil && !assumed.contains(call) && !crowded.contains(call) {
      guard let kinds = used[call] else {
        calls.append(call)
        continue
      }
      self.rules += rules.filter { rule in
        !kinds.contains { kind in
          var arguments: [UInt64] = [0, 0, 0, 0, 0, 0]
          for argument in kind.call.arguments { arguments[argument.index] = UInt64(argument.value) }
          return rule.conditions.allSatisfy { $0.holds(for: arguments) }
        }
      }
    }
  }

  /// The unused rules as JSON.
  package var json: JSONValue {
    ["calls": .array(calls.map { .string($0) }), "rules": .array(rules.map(\.element))]
  }
}
