// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// What the rules of a policy come to: which calls can be made at all, and whether they can be made in a certain way.
struct PolicyReach {
  /// The ways in which each call can be made.
  private let patterns: [String: [ArgumentPattern]]
  /// The rules of each call.
  private let rules: [String: [SyscallRule]]

  /// Sorts the rules of a policy by their calls.
  init(_ policy: ResolvedPolicy) {
    rules = Dictionary(grouping: policy.calls, by: \.call)
    patterns = rules.mapValues { rules in rules.compactMap { ArgumentPattern($0.conditions) } }
  }

  /// Every call that can be made in some way, in the order of the alphabet.
  var calls: [String] { patterns.filter { !$0.value.isEmpty }.keys.sorted() }

  /// The calls among these that can be made in some way, in their order.
  func among(_ calls: [String]) -> [String] { calls.filter { can($0) } }

  /// Whether a call can be made in some way in which these conditions hold.
  func can(_ call: String, _ conditions: ArgumentCondition...) -> Bool {
    guard let wanted = ArgumentPattern(conditions) else { return false }
    return patterns[call]?.contains { $0.meets(wanted) } == true
  }

  /// Whether a call can be made whatever its arguments are; false also where that takes too long to know.
  func canAlways(_ call: String) -> Bool { ArgumentPattern.anything.isCovered(by: allowed(call)) }

  /// The ways that the rules of a call allow.
  func allowed(_ call: String) -> [ArgumentPattern] { patterns[call] ?? [] }

  /// Whether every way of a pattern is allowed; false also where that takes too long to know.
  func covers(_ pattern: ArgumentPattern, of call: String) -> Bool {
    pattern.isCovered(by: allowed(call))
  }

  /// The ways of a pattern that no rule of a call allows; not all of them where they are too many.
  func leftOver(_ pattern: ArgumentPattern, of call: String) -> [ArgumentPattern] {
    pattern.subtracting(all: allowed(call)).parts
  }

  /// The values that an argument of a call must have by rules that name it whole, in the order of the rules; nil if
  /// some rule does not.
  func values(of argument: Int, in call: String) -> [UInt32]? {
    let conditions = (rules[call] ?? []).map { rule in
      rule.conditions.first { $0.index == argument && $0.mask == .max }
    }
    return conditions.contains(nil) ? nil : conditions.compactMap { $0?.value }
  }

  /// The lines that allow a call.
  func origins(of call: String) -> [PolicyOrigin] { (rules[call] ?? []).map(\.origin) }
}
