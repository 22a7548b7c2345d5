// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
package import SandboxPolicy

/// Compiles policies to seccomp filters, with libseccomp.
///
/// A filter allows the calls that the policy allows. Other known calls return `EPERM`. Unassigned numbers
/// return `ENOSYS`, so that programs fall back as they do on an older kernel. Calls of another architecture
/// terminate the process.
package enum SeccompCompiler {
  /// Compiles a policy for the native architecture.
  package static func compile(_ policy: ResolvedPolicy) throws(SeccompError) -> SeccompFilter {
    let table = SystemCallTable.native
    let ruleset = try SeccompRuleset.make()
    for rule in applicableRules(of: policy) {
      if let area = PolicyCore.violation(of: rule) { throw .core(rule, area) }
      guard let number = table.numbers[rule.call] else { continue }
      try ruleset.allow(rule, number: number)
    }
    let allowed = Set(policy.calls.map(\.call))
    for (call, answer) in DenialErrno.exceptions where !allowed.contains(call) {
      guard let number = table.numbers[call] else { continue }
      try ruleset.deny(number: number, answer: answer.errno)
    }
    let program = FilterPrelude.bytes(table, .native) + (try ruleset.program())
    let filter = SeccompFilter(instructions: FilterPrelude.shortened(program, table, .native))
    guard filter.count <= SeccompFilter.maximumInstructionCount else {
      throw .tooLong(instructions: filter.count)
    }
    return filter
  }

  /// Returns the rules without redundant ones. libseccomp rejects duplicate rules, and a call that is allowed
  /// without conditions needs no other rule.
  private static func applicableRules(of policy: ResolvedPolicy) -> [SyscallRule] {
    let unconditional = Set(policy.calls.lazy.filter(\.conditions.isEmpty).map(\.call))
    var seen: [String: Set<[ArgumentCondition]>] = [:]
    return policy.calls.filter { rule in
      guard rule.conditions.isEmpty || !unconditional.contains(rule.call) else { return false }
      let ordered = rule.conditions.sorted { $0.index < $1.index }
      return seen[rule.call, default: []].insert(ordered).inserted
    }
  }
}

extension DenialErrno {
  /// The error that the call returns.
  package var errno: Errno {
    switch self {
    case .notPermitted: .notPermitted
    case .notImplemented: .notImplemented
    case .notSupported: .notSupported
    }
  }
}
