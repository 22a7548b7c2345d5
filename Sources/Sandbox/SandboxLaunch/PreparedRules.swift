// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A ruleset of Landlock's in two parts: the rules for what a broker has prepared, and those for what only a launch adds.
///
/// A rule belongs to what lies at its path when it is made (landlock(7)). So only those are made ahead whose path is that of
/// one thing which the broker makes or shows, and at which nothing else will stand.
struct PreparedRules {
  private let whole: LandlockRuleset?
  /// What the broker makes.
  let ahead: LandlockRuleset?
  /// What is left; nil where there is no ruleset.
  let atLaunch: LandlockRuleset?

  /// Divides the ruleset of a plan that has these items beside those which are a session's own, at these paths.
  init(_ ruleset: LandlockRuleset?, _ items: [RootItem], except own: Set<String>) {
    whole = ruleset
    let there = items.filter { !$0.isLink && !$0.isGround }.map(\.target)
    let links = items.filter(\.isLink).map(\.target)
    func isAhead(_ rule: LandlockRuleset.Rule) -> Bool {
      there.contains { $0.hasBytes(of: rule.path) }
        && !links.contains { $0.hasBytes(of: rule.path) }
        && !own.contains { rule.path.hasBytes(of: $0) || rule.path.utf8.starts(with: "\($0)/".utf8) }
    }
    var (ahead, atLaunch) = (ruleset, ruleset)
    ahead?.rules.removeAll { !isAhead($0) }
    atLaunch?.rules.removeAll(where: isAhead)
    self.ahead = ahead
    self.atLaunch = atLaunch
  }

  /// Whether these are the rules of a plan.
  func serve(_ ruleset: LandlockRuleset?) -> Bool {
    guard let ruleset, let whole else { return ruleset == nil && whole == nil }
    return ruleset.files == whole.files && ruleset.network == whole.network && ruleset.scopes == whole.scopes
      && ruleset.rules.isSame(as: whole.rules) { $0.access == $1.access && $0.path.hasBytes(of: $1.path) }
  }
}
