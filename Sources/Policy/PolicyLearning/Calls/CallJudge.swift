// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// Says what a policy has to do with a call, and which of its arguments matter.
package struct CallJudge: Sendable {
  /// The policy's rules by call.
  private let rules: [String: [SyscallRule]]
  /// The calls that some document of the policy denies by name.
  private let denied: Set<String>
  /// The calls that are answered otherwise than with `EPERM`.
  private let answered: Set<String>

  /// Where a mode counts only if the flags before it create a file: the indexes of both.
  private static let creating: [String: (flags: Int, mode: Int)] = ["open": (1, 2), "openat": (2, 3)]
  /// The corresponding flags are `O_CREAT` and `__O_TMPFILE`.
  private static let creatingFlags: UInt64 = 0x40_0040

  /// Judges by a policy. `answered` are the calls that its filter answers as a kernel without them would.
  package init(_ policy: ResolvedPolicy, answered: Set<String>) {
    rules = Dictionary(grouping: policy.calls, by: \.call)
    denied = Set(policy.denials.map(\.value))
    self.answered = answered
  }

  /// The call with what matters of it; nil if no table has the number.
  package func judge(number: Int, arguments: [UInt64]) -> LearnedCall? {
    guard let call = SystemCallTable.native.names[number] else { return nil }
    let standing = standing(of: call, arguments)
    let relevant = relevantIndexes(of: call, standing, arguments)
    return LearnedCall(
      call: call,
      standing: standing,
      arguments: relevant.sorted().map {
        LearnedArgument(index: $0, value: UInt32(truncatingIfNeeded: arguments[$0]))
      }
    )
  }

  /// What the policy has to do with the call.
  private func standing(of call: String, _ arguments: [UInt64]) -> CallStanding {
    let rules = rules[call] ?? []
    if rules.contains(where: { rule in rule.conditions.allSatisfy { $0.holds(for: arguments) } }) {
      return .used
    }
    if PolicyCore.forbids(call, arguments) { return .core }
    if denied.contains(call) { return .denied }
    return answered.contains(call) && rules.isEmpty ? .answered : .needed
  }

  /// What some rule compares; of a call that is refused also what chooses what it does.
  private func relevantIndexes(
    of call: String,
    _ standing: CallStanding,
    _ arguments: [UInt64]
  ) -> Set<Int> {
    // The permission to execute knows no arguments that a policy could name.
    guard !ExecutePermission.calls.contains(call) else { return [] }
    var indexes = Set((rules[call] ?? []).flatMap(\.conditions).map(\.index))
    if standing != .used { indexes.formUnion(ArgumentRole.roles(of: call, arguments).keys) }
    if let requirement = PolicyCore.requirements[call] { indexes.formUnion(requirement.limits.map(\.index)) }
    if let creating = Self.creating[call], arguments[creating.flags] & Self.creatingFlags == 0 {
      indexes.remove(creating.mode)
    }
    return indexes.filter(arguments.indices.contains)
  }
}

extension PolicyCore {
  /// Whether no rule of any policy can allow a call with these arguments.
  package static func forbids(_ call: String, _ arguments: [UInt64]) -> Bool {
    if area[call] != nil { return true }
    guard let requirement = requirements[call] else { return false }
    let exact = requirement.limits.map { limit in
      let argument = arguments.indices.contains(limit.index) ? arguments[limit.index] : 0
      return ArgumentCondition(index: limit.index, value: UInt32(truncatingIfNeeded: argument))
    }
    return !requirement.isMet(by: exact)
  }
}
