// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import PolicyProof
package import SandboxPolicy
package import SystemCalls

extension CallProfile {
  /// Creates a profile with the behavior of a policy's filter on one architecture.
  package init(_ policy: ResolvedPolicy, on architecture: CallArchitecture = .native) {
    self.init(defaultAction: .errno(1), architectures: [architecture])
    // The corresponding constant is ENOSYS, which the kernel also returns for numbers without a call.
    unknownNumbers = .errno(38)
    otherArchitectures = .killProcess
    let whole = Set(policy.calls.lazy.filter(\.conditions.isEmpty).map(\.call))
    rules = [Rule(whole.sorted(), .allow)].filter { !$0.calls.isEmpty }
    rules += policy.calls.filter { !whole.contains($0.call) }.map { rule in
      let conditions = rule.conditions.map {
        ArgumentComparison($0.index, .masked(UInt64($0.mask)), UInt64($0.value))
      }
      return Rule([rule.call], .allow, where: conditions, location: "\(rule.origin)")
    }
    let named = Set(policy.calls.map(\.call))
    var answers: [UInt16: [String]] = [:]
    for (call, number) in PolicySemantics.defaultErrnos where !named.contains(call) {
      answers[number, default: []].append(call)
    }
    rules += answers.sorted { $0.key < $1.key }.map { Rule($0.value.sorted(), .errno($0.key)) }
  }
}
