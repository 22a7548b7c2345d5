// SPDX-License-Identifier: Apache-2.0

/// The calls that a list of rules allows, as a set with exact intersection and union.
///
/// A rule compares bits of arguments, and all of its comparisons must hold. The calls that two rules both
/// allow are therefore the calls of one rule with the comparisons of both.
struct CallRuleSet {
  /// The rules, except those that another rule contains.
  private(set) var rules: [SyscallRule]

  /// Creates the set of the calls that at least one rule allows.
  init(_ rules: [SyscallRule]) {
    self.rules = []
    for rule in rules {
      guard let rule = rule.simplified, !self.rules.contains(where: { $0.contains(rule) }) else { continue }
      self.rules.removeAll { rule.contains($0) }
      self.rules.append(rule)
    }
  }

  /// Returns the calls that are in both sets.
  func intersection(_ other: CallRuleSet) -> CallRuleSet {
    let others = Dictionary(grouping: other.rules, by: \.call)
    return CallRuleSet(
      rules.flatMap { rule in
        (others[rule.call] ?? []).map { other in
          var both = rule
          both.conditions += other.conditions
          return both
        }
      }
    )
  }

  /// Returns the calls that are in at least one of the sets.
  func union(_ other: CallRuleSet) -> CallRuleSet { CallRuleSet(rules + other.rules) }
}

extension SyscallRule {
  /// The rule with at most one comparison for each argument, in their order, or `nil` if the rule allows no
  /// call.
  fileprivate var simplified: SyscallRule? {
    var merged: [Int: ArgumentCondition] = [:]
    for condition in conditions {
      // A masked argument never has a bit outside the mask.
      guard condition.value & ~condition.mask == 0 else { return nil }
      guard let known = merged[condition.index] else {
        merged[condition.index] = condition
        continue
      }
      guard (known.value ^ condition.value) & known.mask & condition.mask == 0 else { return nil }
      merged[condition.index] = ArgumentCondition(
        index: condition.index,
        mask: known.mask | condition.mask,
        value: known.value | condition.value
      )
    }
    var rule = self
    rule.conditions = merged.values.filter { $0.mask != 0 }.sorted { $0.index < $1.index }
    return rule
  }

  /// Whether this simplified rule allows every call that another simplified rule allows.
  fileprivate func contains(_ other: SyscallRule) -> Bool {
    call == other.call
      && conditions.allSatisfy { condition in
        other.conditions.contains {
          $0.index == condition.index && $0.mask & condition.mask == condition.mask
            && $0.value & condition.mask == condition.value
        }
      }
  }
}
