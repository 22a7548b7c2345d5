// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// The calls and arguments that the rules of a policy permit.
struct PermittedCalls {
  /// The permitted argument patterns of each call.
  private let patterns: [String: [ArgumentPattern]]
  /// The rules of each call.
  private let rules: [String: [SyscallRule]]

  /// Creates an index of the rules of a policy by call.
  init(_ policy: ResolvedPolicy) {
    rules = Dictionary(grouping: policy.calls, by: \.call)
    patterns = rules.mapValues { rules in rules.compactMap { ArgumentPattern($0.conditions) } }
  }

  /// The calls that are permitted with at least some arguments, sorted by name.
  var calls: [String] { patterns.filter { !$0.value.isEmpty }.keys.sorted() }

  /// Returns the calls of a list that are permitted with at least some arguments, in the same order.
  func intersection(_ calls: [String]) -> [String] { calls.filter { permits($0) } }

  /// Returns whether a call is permitted with arguments that satisfy all conditions.
  func permits(_ call: String, _ conditions: ArgumentCondition...) -> Bool {
    guard let wanted = ArgumentPattern(conditions) else { return false }
    return patterns[call]?.contains { $0.intersects(wanted) } == true
  }

  /// Returns whether a call is permitted with any arguments. The result is `false` if the exact answer would
  /// take too long.
  func permitsUnconditionally(_ call: String) -> Bool {
    ArgumentPattern.anything.isCovered(by: allowed(call))
  }

  /// Returns the permitted argument patterns of a call.
  func allowed(_ call: String) -> [ArgumentPattern] { patterns[call] ?? [] }

  /// Returns whether all arguments of a pattern are permitted. The result is `false` if the exact answer
  /// would take too long.
  func covers(_ pattern: ArgumentPattern, of call: String) -> Bool {
    pattern.isCovered(by: allowed(call))
  }

  /// Returns the part of a pattern that no rule of a call permits. The result is incomplete if there are too
  /// many parts.
  func uncovered(_ pattern: ArgumentPattern, of call: String) -> [ArgumentPattern] {
    pattern.subtracting(all: allowed(call)).parts
  }

  /// Returns the permitted values of an argument if every rule of a call compares the whole argument, in the
  /// order of the rules, or `nil` otherwise.
  func values(of argument: Int, in call: String) -> [UInt32]? {
    let conditions = (rules[call] ?? []).map { rule in
      rule.conditions.first { $0.index == argument && $0.mask == .max }
    }
    return conditions.contains(nil) ? nil : conditions.compactMap { $0?.value }
  }

  /// Returns the positions of the rules that permit a call.
  func origins(of call: String) -> [PolicyOrigin] { (rules[call] ?? []).map(\.origin) }
}
