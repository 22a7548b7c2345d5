// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import Refusals
package import SandboxPolicy

/// What of a policy a program was never seen to use.
package struct UnusedRules: Sendable, Hashable {
  /// The calls none of whose rules was used, by name.
  package var calls: [String] = []
  /// The rules that were not used, of calls of which others were.
  package var rules: [SyscallRule] = []

  /// Compares a policy with what was used of it; `assumed` are calls that every program makes but nobody reports.
  package init(_ policy: ResolvedPolicy, _ picture: LearningPicture, assumed: Set<String>) {
    let used = Dictionary(grouping: picture.kinds(.used), by: \.call.call)
    let crowded = Set(picture.crowds.filter { $0.standing == .used }.map(\.call))
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

  /// As data.
  package var json: JSONValue {
    ["calls": .array(calls.map { .string($0) }), "rules": .array(rules.map(\.element))]
  }
}
