// SPDX-License-Identifier: Apache-2.0

/// The calls that a list of rules allows, as a set that can be intersected and united without loss.
///
/// A rule compares bits of arguments, and all of its comparisons must hold. So the calls that two rules both allow are
/// those of one rule that has the comparisons of both.
struct CallRuleSet {
  /// The rules, without those that another rule contains.
  private(set) var rules: [SyscallRule]

  /// Creates the set of the calls that some rule allows.
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
  /// The rule with one comparison for each argument, in their order, or `nil` if the rule allows no call.
  fileprivate var simplified: SyscallRule? {
    var merged: [Int: ArgumentCondition] = [:]
    for condition in conditions {
      // No value has a bit that the mask takes away.
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

  /// Whether a simplified rule allows every call that another simplified one allows.
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
