// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// A classifier of calls by their status under a policy and their relevant arguments.
package struct CallClassifier: Sendable {
  /// The policy's rules, by call.
  private let rules: [String: [SyscallRule]]
  /// The calls that some document of the policy denies by name.
  private let denied: Set<String>
  /// The calls that fail with an error other than `EPERM`.
  private let answered: Set<String>

  /// The calls with a mode that is used only if their flags create a file, with the indices of both
  /// arguments.
  private static let creating: [String: (flags: Int, mode: Int)] = ["open": (1, 2), "openat": (2, 3)]
  /// The corresponding flags are `O_CREAT` and `__O_TMPFILE`.
  private static let creatingFlags: UInt64 = 0x40_0040

  /// Creates a classifier for a policy. `answered` are the calls for which the filter imitates a kernel
  /// without them.
  package init(_ policy: ResolvedPolicy, answered: Set<String>) {
    rules = Dictionary(grouping: policy.calls, by: \.call)
    denied = Set(policy.denials.map(\.value))
    self.answered = answered
  }

  /// Returns the call with its relevant arguments, or `nil` if the native architecture has no call with the
  /// number.
  package func classify(number: Int, arguments: [UInt64]) -> LearnedCall? {
    guard let call = SystemCallTable.native.names[number] else { return nil }
    let status = status(of: call, arguments)
    let relevant = relevantIndexes(of: call, status, arguments)
    return LearnedCall(
      call: call,
      status: status,
      arguments: relevant.sorted().map {
        LearnedArgument(index: $0, value: UInt32(truncatingIfNeeded: arguments[$0]))
      }
    )
  }

  /// Returns the status of the call under the policy.
  private func status(of call: String, _ arguments: [UInt64]) -> CallStatus {
    let rules = rules[call] ?? []
    if rules.contains(where: { rule in rule.conditions.allSatisfy { $0.holds(for: arguments) } }) {
      return .used
    }
    if PolicyCore.forbids(call, arguments) { return .core }
    if denied.contains(call) { return .denied }
    return answered.contains(call) && rules.isEmpty ? .answered : .needed
  }

  /// Returns the arguments that some rule compares and, for a refused call, the arguments that select its
  /// operation.
  private func relevantIndexes(
    of call: String,
    _ status: CallStatus,
    _ arguments: [UInt64]
  ) -> Set<Int> {
    // Policies cannot put conditions on the calls that `execute` controls.
    guard !ExecutePermission.calls.contains(call) else { return [] }
    var indexes = Set((rules[call] ?? []).flatMap(\.conditions).map(\.index))
    if status != .used { indexes.formUnion(ArgumentRole.roles(of: call, arguments).keys) }
    if let requirement = PolicyCore.requirements[call] { indexes.formUnion(requirement.limits.map(\.index)) }
    if let creating = Self.creating[call], arguments[creating.flags] & Self.creatingFlags == 0 {
      indexes.remove(creating.mode)
    }
    return indexes.filter(arguments.indices.contains)
  }
}

extension PolicyCore {
  /// Whether no policy can allow a call with these arguments.
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
