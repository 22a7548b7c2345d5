// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules that change nothing.
extension PolicyRule {
  /// Elements of `allow` that let nothing through that others of the chain do not.
  static let unreachableRule = PolicyRule(
    "DR2001",
    "unreachable-rule",
    .warning,
    summary: "A rule allows nothing that others do not allow already",
    justification:
      "It seems to limit or to add something and does neither. A narrow rule beside a wide one for the same call makes a "
      + "reader believe that the call is limited.",
    remediation: "Remove the rule, or the wider one that makes it idle."
  ) { linted in
    linted.documents.indices.flatMap { CoverageSearch(linted.documents[$0...]).hits(linted) }
  }
}

/// Finds the elements of a document that itself or what it extends makes idle. The answer is exact: it compares sets of
/// arguments, bit by bit.
private struct CoverageSearch {
  /// The elements of the document that is looked at.
  private let entries: [CallEntry]
  /// The rules that still count, by call.
  private var kept: [String: [SyscallRule]] = [:]
  /// The calls that are denied, so that no rule for them counts.
  private let denied: Set<String>

  /// Looks at the first document of a chain.
  init(_ chain: ArraySlice<PolicyDocument>) {
    entries = chain.first.map(\.entries)?.filter { $0.list == .allow } ?? []
    denied = Set(chain.flatMap(\.deny).map(\.value))
    for rule in chain.flatMap(\.allow) { kept[rule.call, default: []].append(rule) }
  }

  /// What is idle: from the end of the document, so that of two equal elements the first one stays.
  func hits(_ linted: LintedPolicy) -> [RuleHit] {
    var search = self
    return entries.reversed().compactMap { search.hit($0, linted) }
  }

  /// An element, if it is idle; it counts no longer then.
  private mutating func hit(_ entry: CallEntry, _ linted: LintedPolicy) -> RuleHit? {
    let rules = entry.rules.filter { !denied.contains($0.call) }
    guard !rules.isEmpty, rules.allSatisfy({ isCovered($0, entry.origin) }) else { return nil }
    let wider = rules.compactMap { rule in
      kept[rule.call]?.first { $0.origin != entry.origin && Self.contains($0, rule) }
    }.first
    for rule in rules { kept[rule.call]?.removeAll { $0.origin == entry.origin } }
    let group = linted.entry(at: entry.origin)?.word.flatMap { $0.hasPrefix("@") ? $0 : nil }
    let name = group.map { "\"\($0)\"" } ?? rules[0].inWords
    let reason =
      wider.map { wide in
        let means = linted.group(of: wide).map { "\"\($0)\"" } ?? wide.inWords
        return "\(means) at \(wide.origin) allows it already"
      } ?? "the other rules for the call allow it already, taken together"
    return RuleHit(group ?? rules[0].call, entry.origin, "\(name) adds nothing: \(reason)")
  }

  /// Whether the other rules for the call let everything through that this one does.
  private func isCovered(_ rule: SyscallRule, _ origin: PolicyOrigin) -> Bool {
    guard let cube = ArgumentPattern(rule.conditions) else { return true }
    let others = (kept[rule.call] ?? []).filter { $0.origin != origin }.compactMap {
      ArgumentPattern($0.conditions)
    }
    return others.contains { $0.contains(cube) } || cube.isCovered(by: others)
  }

  /// Whether one rule alone lets everything through that another does.
  private static func contains(_ wide: SyscallRule, _ narrow: SyscallRule) -> Bool {
    guard let wide = ArgumentPattern(wide.conditions), let narrow = ArgumentPattern(narrow.conditions) else {
      return false
    }
    return wide.contains(narrow)
  }
}
