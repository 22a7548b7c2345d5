// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
package import SandboxPolicy

/// Compiles policies to filters, with libseccomp.
///
/// What the policy allows is allowed. Of the rest, a call that the table knows answers `EPERM`, a number that means
/// nothing (yet) `ENOSYS`, so that programs fall back as they do on an older kernel. Another architecture's calls
/// end the process.
package enum SeccompCompiler {
  /// Compiles a policy for the architecture of this program.
  package static func compile(_ policy: ResolvedPolicy) throws(SeccompError) -> SeccompFilter {
    let table = SystemCallTable.native
    let ruleset = try SeccompRuleset.make()
    for rule in applicableRules(of: policy) {
      if let area = PolicyCore.violation(of: rule) { throw .core(rule, area) }
      guard let number = table.numbers[rule.call] else { continue }
      try ruleset.allow(rule, number: number)
    }
    let allowed = Set(policy.calls.map(\.call))
    for (call, errno) in answers where !allowed.contains(call) {
      guard let number = table.numbers[call] else { continue }
      try ruleset.deny(number: number, answer: errno)
    }
    let program = FilterPrelude.bytes(table, .native) + (try ruleset.program())
    let filter = SeccompFilter(instructions: program)
    guard filter.count <= SeccompFilter.longest else { throw .tooLong(instructions: filter.count) }
    return filter
  }

  /// The denied calls whose answer is another than `EPERM`.
  ///
  /// The flags of clone3 are in memory, where a filter cannot see them; C libraries fall back to clone. Programs that
  /// copy or list files set and read attributes where they can, and take it for an error of theirs if they hear that they
  /// may not. What sysinfo(2) tells is the host's uptime, load and memory; C libraries that want the latter do without.
  private static let answers: KeyValuePairs<String, Errno> = [
    "clone3": .notImplemented, "setxattr": .notSupported, "lsetxattr": .notSupported,
    "fsetxattr": .notSupported,
    "setxattrat": .notSupported, "getxattr": .notSupported, "lgetxattr": .notSupported,
    "getxattrat": .notSupported, "listxattr": .notSupported, "llistxattr": .notSupported,
    "listxattrat": .notSupported, "sysinfo": .notImplemented,
  ]

  /// What a call answers that is denied with another answer than `EPERM`; nil for all others.
  package static func answer(to call: String) -> Errno? { answers.first { $0.key == call }?.value }

  /// The calls whose answer is another than `EPERM`.
  package static var answeredCalls: Set<String> { Set(answers.map(\.key)) }

  /// The rules that say something that no other says: libseccomp takes no rule twice, and a call that is allowed
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
