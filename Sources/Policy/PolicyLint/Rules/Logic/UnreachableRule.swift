// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about redundant rules.
extension PolicyRule {
  /// The rule that finds elements of `allow` that are redundant because of other elements in the chain.
  static let unreachableRule = PolicyRule(
    "DR2001",
    "unreachable-rule",
    .warning,
    summary: "A rule is redundant",
    justification:
      "Other rules allow the same calls already. A narrow rule next to a wide rule for the same call makes a reader "
      + "believe that the call is limited.",
    remediation: "Remove the rule, or the wider rule that makes it redundant."
  ) { linted in
    linted.documents.indices.flatMap { CoverageSearch(linted.documents[$0...]).hits(linted) }
  }
}

/// A search for redundant elements of a document. The result is exact, because sets of arguments are compared
/// bit by bit.
private struct CoverageSearch {
  /// The elements of the document.
  private let entries: [CallEntry]
  /// The rules that were not found redundant, by call.
  private var remaining: [String: [SyscallRule]] = [:]
  /// The denied calls, whose rules have no effect.
  private let denied: Set<String>

  /// Creates a search for the first document of a chain.
  init(_ chain: ArraySlice<PolicyDocument>) {
    entries = chain.first.map(\.entries)?.filter { $0.list == .allow } ?? []
    denied = Set(chain.flatMap(\.deny).map(\.value))
    for rule in chain.flatMap(\.allow) { remaining[rule.call, default: []].append(rule) }
  }

  /// Returns the redundant elements. The search starts at the end, so the first of two equal elements
  /// remains.
  func hits(_ linted: LintedPolicy) -> [RuleHit] {
    var search = self
    return entries.reversed().compactMap { search.hit($0, linted) }
  }

  /// Returns a hit for an element if it is redundant, and removes its rules.
  private mutating func hit(_ entry: CallEntry, _ linted: LintedPolicy) -> RuleHit? {
    let rules = entry.rules.filter { !denied.contains($0.call) }
    guard !rules.isEmpty, rules.allSatisfy({ isCovered($0, entry.origin) }) else { return nil }
    let wider = rules.compactMap { rule in
      remaining[rule.call]?.first { $0.origin != entry.origin && Self.contains($0, rule) }
    }.first
    for rule in rules { remaining[rule.call]?.removeAll { $0.origin == entry.origin } }
    let group = linted.entry(at: entry.origin)?.string.flatMap { $0.hasPrefix("@") ? $0 : nil }
    let name = group.map { "\"\($0)\"" } ?? rules[0].quotedText
    let reason =
      wider.map { wide in
        let widerName = linted.group(of: wide).map { "\"\($0)\"" } ?? wide.quotedText
        return "\(widerName) at \(wide.origin) already allows it"
      } ?? "the other rules for the call together already allow it"
    return RuleHit(group ?? rules[0].call, entry.origin, "\(name) is redundant: \(reason)")
  }

  /// Returns whether the other rules for the call allow everything that a rule allows.
  private func isCovered(_ rule: SyscallRule, _ origin: PolicyOrigin) -> Bool {
    guard let pattern = ArgumentPattern(rule.conditions) else { return true }
    let others = (remaining[rule.call] ?? []).filter { $0.origin != origin }.compactMap {
      ArgumentPattern($0.conditions)
    }
    return others.contains { $0.contains(pattern) } || pattern.isCovered(by: others)
  }

  /// Returns whether one rule alone allows everything that another rule allows.
  private static func contains(_ wide: SyscallRule, _ narrow: SyscallRule) -> Bool {
    guard let wide = ArgumentPattern(wide.conditions), let narrow = ArgumentPattern(narrow.conditions) else {
      return false
    }
    return wide.contains(narrow)
  }
}
