// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import SandboxPolicy
internal import SystemCalls

/// The smallest change of a policy that lets through what a program was seen to need.
///
/// It is a proposal and nothing more: nobody applies it but the person who reads it.
package struct PolicyProposal: Sendable, Hashable {
  /// One thing to allow.
  package struct Addition: Sendable, Hashable {
    /// What the policy gets.
    package var rule: SyscallRule
    /// The kinds of calls that are the reason, as people read them; the first few of many.
    package var because: [String]
    /// How often they were made.
    package var count: Int
    /// The run in which the first of them was new.
    package var firstRun: Int
    /// Whether it allows more than was seen, because too many values were.
    package var isLoosened: Bool
  }

  /// What to allow, by call.
  package private(set) var additions: [Addition] = []
  /// How often other programs were executed, where the policy lets only the first run.
  package private(set) var executions = 0

  /// Whether the policy suffices as it is.
  package var isEmpty: Bool { additions.isEmpty && executions == 0 }

  /// Proposes what a picture shows.
  package init(_ picture: LearningPicture) {
    let needed = picture.kinds(.needed)
    let crowds = picture.crowds.filter { $0.standing == .needed }
    executions = needed.filter { ExecutePermission.calls.contains($0.call.call) }.map(\.count).reduce(0, +)
    var calls: [String] = []
    for call in needed.map(\.call.call)
    where calls.last != call && !ExecutePermission.calls.contains(call) { calls.append(call) }
    additions = calls.flatMap { call in
      CallProposal(
        call: call,
        kinds: needed.filter { $0.call.call == call },
        crowd: crowds.first { $0.call == call }
      ).additions
    }
  }
}

/// What to allow of one call.
private struct CallProposal {
  /// The call.
  let call: String
  /// What was seen of it.
  let kinds: [LearningPicture.Kind]
  /// What was too much to keep of it.
  let crowd: LearningLedger.Crowd?

  /// How many combinations of flags become a rule each; more become one that allows every combination of them.
  private static let exactCombinations = 8
  /// How many kinds are named as the reason of one addition.
  private static let named = 4

  /// The rules with their reasons.
  var additions: [PolicyProposal.Addition] {
    let flags = flagIndexes
    // What tells two kinds apart beside their flags.
    let groups = Dictionary(grouping: kinds) { kind in
      kind.call.arguments.filter { argument in
        !flags.contains(argument.index) && (crowd == nil || isRequired(argument.index))
      }
    }
    return groups.sorted { Self.isBefore($0.value, $1.value) }.flatMap { fixed, kinds in
      crowd == nil && kinds.count <= Self.exactCombinations
        ? kinds.map { addition($0.call.arguments.map(Self.exactly), [$0], isLoosened: false) }
        : [loosened(fixed, kinds, flags)]
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

  /// An order that is always the same.
  private static func isBefore(_ one: [LearningPicture.Kind], _ other: [LearningPicture.Kind]) -> Bool {
    let keys = [one, other].map { kinds in kinds.first?.call.arguments.map(\.value) ?? [] }
    return keys[0].lexicographicallyPrecedes(keys[1])
  }

  /// Whether no policy can allow the call without a rule for the argument.
  private func isRequired(_ index: Int) -> Bool {
    PolicyCore.requirements[call]?.limits.contains { $0.index == index } == true
  }

  /// The comparison with what was seen.
  private static func exactly(_ argument: LearnedArgument) -> ArgumentCondition {
    ArgumentCondition(index: argument.index, value: argument.value)
  }

  /// One rule for many kinds: every combination of the flags that were seen.
  private func loosened(
    _ fixed: [LearnedArgument],
    _ kinds: [LearningPicture.Kind],
    _ flags: Set<Int>
  ) -> PolicyProposal.Addition {
    var bits: [Int: UInt32] = [:]
    for argument in kinds.flatMap(\.call.arguments) where flags.contains(argument.index) {
      bits[argument.index, default: 0] |= argument.value
    }
    for (index, value) in crowd?.bits ?? [:] where flags.contains(index) { bits[index, default: 0] |= value }
    let masked = bits.filter { $0.value != .max }.map { ArgumentCondition(index: $0, mask: ~$1, value: 0) }
    let conditions = fixed.map(Self.exactly) + masked
    return addition(conditions.sorted { $0.index < $1.index }, kinds, isLoosened: true)
  }

  /// A rule with its reasons.
  private func addition(
    _ conditions: [ArgumentCondition],
    _ kinds: [LearningPicture.Kind],
    isLoosened: Bool
  ) -> PolicyProposal.Addition {
    let texts = kinds.prefix(Self.named).map(\.call.text)
    return PolicyProposal.Addition(
      rule: SyscallRule(call: call, conditions: conditions, origin: Self.origin),
      because: texts + (kinds.count > Self.named ? ["… (\(kinds.count) kinds)"] : []),
      count: kinds.map(\.count).reduce(0, +) + (isLoosened ? crowd?.count ?? 0 : 0),
      firstRun: kinds.map(\.firstRun).min() ?? 1,
      isLoosened: isLoosened
    )
  }

  /// The rules stand nowhere yet.
  private static let origin = PolicyOrigin(source: "learned", position: .init(line: 1, column: 1))
}

extension LearnedCall {
  /// The arguments by their places; nil where nothing is known.
  var values: [UInt64?] {
    var values = [UInt64?](repeating: nil, count: 6)
    for argument in arguments { values[argument.index] = UInt64(argument.value) }
    return values
  }

  /// The call as people read it; `_` stands for what does not matter.
  package var text: String { arguments.isEmpty ? call : CallText.render(call, values) }
}
