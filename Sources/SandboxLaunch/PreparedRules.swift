// SPDX-License-Identifier: Apache-2.0

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
    let links = Set(items.filter(\.isLink).map(\.target))
    let prepared = Set(items.map(\.target)).subtracting(links).subtracting(own)
    var (ahead, atLaunch) = (ruleset, ruleset)
    ahead?.rules.removeAll { !prepared.contains($0.path) }
    atLaunch?.rules.removeAll { prepared.contains($0.path) }
    self.ahead = ahead
    self.atLaunch = atLaunch
  }

  /// Whether these are the rules of a plan.
  func serve(_ ruleset: LandlockRuleset?) -> Bool { ruleset == whole }
}
