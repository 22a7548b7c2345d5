// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import SandboxPolicy
internal import SystemCalls

/// The smallest change of a policy that allows the calls that a program was observed to need.
///
/// A proposal is never applied automatically. The user reads it and decides.
package struct PolicyProposal: Sendable, Hashable {
  /// A rule to add.
  package struct Addition: Sendable, Hashable {
    package var rule: SyscallRule
    /// The first kinds of calls that require the rule, as text.
    package var evidence: [String]
    /// The number of their calls.
    package var count: Int
    /// The run in which the first of them was observed.
    package var firstRun: Int
    /// Whether the rule allows more than was observed, because there were too many values.
    package var isGeneralized: Bool
  }

  /// The rules to add, by call.
  package private(set) var additions: [Addition] = []
  /// The number of executions of other programs that the policy refused.
  package private(set) var executions = 0

  /// Whether the policy is sufficient without changes.
  package var isEmpty: Bool { additions.isEmpty && executions == 0 }

  /// Creates the proposal for a profile.
  package init(_ profile: LearningProfile) {
    let needed = profile.kinds(.needed)
    let summaries = profile.summaries.filter { $0.status == .needed }
    executions = needed.filter { ExecutePermission.calls.contains($0.call.call) }.map(\.count).reduce(0, +)
    var calls: [String] = []
    for call in needed.map(\.call.call)
    where calls.last != call && !ExecutePermission.calls.contains(call) { calls.append(call) }
    additions = calls.flatMap { call in
      CallProposal(
        call: call,
        kinds: needed.filter { $0.call.call == call },
        summary: summaries.first { $0.call == call }
      ).additions
    }
  }
}

/// The additions for one call.
private struct CallProposal {
  let call: String
  /// The observed kinds.
  let kinds: [LearningProfile.Kind]
  /// The summary of the kinds beyond the limit, or `nil` if there is none.
  let summary: LearningLedger.CallSummary?

  /// The maximum number of combinations of flags that become one rule each. More combinations become a single
  /// rule that allows all of them.
  private static let exactCombinations = 8
  /// The maximum number of kinds that an addition lists as its reason.
  private static let named = 4

  /// The rules to add, with their reasons.
  var additions: [PolicyProposal.Addition] {
    let flags = flagIndexes
    // Kinds with the same arguments other than flags are one group.
    let groups = Dictionary(grouping: kinds) { kind in
      kind.call.arguments.filter { argument in
        !flags.contains(argument.index) && (summary == nil || isRequired(argument.index))
      }
    }
    return groups.sorted { Self.isBefore($0.value, $1.value) }.flatMap { fixed, kinds in
      summary == nil && kinds.count <= Self.exactCombinations
        ? kinds.map { addition($0.call.arguments.map(Self.equality), [$0], isGeneralized: false) }
        : [generalized(fixed, kinds, flags)]
    }
  }

  /// The arguments that are flags in every kind that has them.
  private var flagIndexes: Set<Int> {
    var flags: Set<Int> = [], others: Set<Int> = []
    for kind in kinds {
      let roles = ArgumentRole.roles(of: call, kind.call.values)
      for index in kind.call.arguments.map(\.index) {
        if roles[index] == .flags { flags.insert(index) } else { others.insert(index) }
      }
    }
    return flags.subtracting(others)
  }

  /// Whether one group of kinds precedes another. The order makes the result deterministic.
  private static func isBefore(_ one: [LearningProfile.Kind], _ other: [LearningProfile.Kind]) -> Bool {
    let keys = [one, other].map { kinds in kinds.first?.call.arguments.map(\.value) ?? [] }
    return keys[0].lexicographicallyPrecedes(keys[1])
  }

  /// Whether policies can allow the call only with a condition on the argument.
  private func isRequired(_ index: Int) -> Bool {
    PolicyCore.requirements[call]?.limits.contains { $0.index == index } == true
  }

  /// Returns the condition that an argument equals its observed value.
  private static func equality(_ argument: LearnedArgument) -> ArgumentCondition {
    ArgumentCondition(index: argument.index, value: argument.value)
  }

  /// Returns one rule for many kinds: it allows every combination of the observed flags.
  private func generalized(
    _ fixed: [LearnedArgument],
    _ kinds: [LearningProfile.Kind],
    _ flags: Set<Int>
  ) -> PolicyProposal.Addition {
    var bits: [Int: UInt32] = [:]
    for argument in kinds.flatMap(\.call.arguments) where flags.contains(argument.index) {
      bits[argument.index, default: 0] |= argument.value
    }
    for (index, value) in summary?.bits ?? [:] where flags.contains(index) {
      bits[index, default: 0] |= value
    }
    let masked = bits.filter { $0.value != .max }.map { ArgumentCondition(index: $0, mask: ~$1, value: 0) }
    let conditions = fixed.map(Self.equality) + masked
    return addition(conditions.sorted { $0.index < $1.index }, kinds, isGeneralized: true)
  }

  /// Returns a rule with its reasons.
  private func addition(
    _ conditions: [ArgumentCondition],
    _ kinds: [LearningProfile.Kind],
    isGeneralized: Bool
  ) -> PolicyProposal.Addition {
    let texts = kinds.prefix(Self.named).map(\.call.text)
    return PolicyProposal.Addition(
      rule: SyscallRule(call: call, conditions: conditions, origin: Self.origin),
      evidence: texts + (kinds.count > Self.named ? ["… (\(kinds.count) kinds)"] : []),
      count: kinds.map(\.count).reduce(0, +) + (isGeneralized ? summary?.count ?? 0 : 0),
      firstRun: kinds.map(\.firstRun).min() ?? 1,
      isGeneralized: isGeneralized
    )
  }

  /// The origin of the rules, which are not part of a document yet.
  private static let origin = PolicyOrigin(source: "learned", position: .init(line: 1, column: 1))
}

extension LearnedCall {
  /// The arguments by index, or `nil` if an argument is unknown.
  var values: [UInt64?] {
    var values = [UInt64?](repeating: nil, count: 6)
    for argument in arguments { values[argument.index] = UInt64(argument.value) }
    return values
  }

  /// The call as text, with `_` for irrelevant arguments.
  package var text: String { arguments.isEmpty ? call : CallText.render(call, values) }
}
