// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A Landlock ruleset in two parts: the rules for items that a broker has prepared, and the rules for items
/// that a launch adds.
///
/// A rule applies to the file at its path when the rule is created (landlock(7)). A rule is therefore
/// prepared only if its path is that of a single item that the broker creates or shows. No other item may be
/// at this path later.
struct PreparedRules {
  private let whole: LandlockRuleset?
  /// The part that the broker creates.
  let prepared: LandlockRuleset?
  /// The rest, or `nil` if there is no ruleset.
  let atLaunch: LandlockRuleset?

  /// Divides the ruleset of a plan with these items. `own` are the paths of the session-specific items.
  init(_ ruleset: LandlockRuleset?, _ items: [RootItem], except own: Set<String>) {
    whole = ruleset
    let there = items.filter { !$0.isLink && !$0.isLayerBase }.map(\.target)
    let links = items.filter(\.isLink).map(\.target)
    func isAhead(_ rule: LandlockRuleset.Rule) -> Bool {
      there.contains { $0.hasBytes(of: rule.path) }
        && !links.contains { $0.hasBytes(of: rule.path) }
        && !own.contains { rule.path.hasBytes(of: $0) || rule.path.utf8.starts(with: "\($0)/".utf8) }
    }
    var (ahead, atLaunch) = (ruleset, ruleset)
    ahead?.rules.removeAll { !isAhead($0) }
    atLaunch?.rules.removeAll(where: isAhead)
    self.prepared = ahead
    self.atLaunch = atLaunch
  }

  /// Returns whether these are the rules of a plan.
  func matches(_ ruleset: LandlockRuleset?) -> Bool {
    guard let ruleset, let whole else { return ruleset == nil && whole == nil }
    return ruleset.files == whole.files && ruleset.network == whole.network && ruleset.scopes == whole.scopes
      && ruleset.rules.isSame(as: whole.rules) { $0.access == $1.access && $0.path.hasBytes(of: $1.path) }
  }
}
