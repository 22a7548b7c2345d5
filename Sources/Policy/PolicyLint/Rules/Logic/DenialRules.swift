// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about denials.
extension PolicyRule {
  /// The rule that finds elements of `allow` that the same document or an ancestor denies.
  static let allowedAndDenied = PolicyRule(
    "DR2002",
    "allowed-and-denied",
    .warning,
    summary: "A call is allowed and stays denied all the same",
    justification:
      "A denial anywhere in the chain wins, also over what a policy that extends it allows. The rule grants nothing, and "
      + "the program fails although a reader sees the call allowed.",
    remediation: "Remove one of the two; a denial in a policy that is extended can only be changed there."
  ) { linted in
    linted.documents.indices.flatMap { index -> [RuleHit] in
      let chain = linted.documents[index...]
      let denials = Dictionary(chain.flatMap(\.deny).map { ($0.value, $0.origin) }) { first, _ in first }
      return linted.documents[index].entries.filter { $0.list == .allow }.compactMap { entry in
        let denied = entry.calls.filter { denials[$0] != nil }
        let group = linted.entry(at: entry.origin)?.string.flatMap { $0.hasPrefix("@") ? $0 : nil }
        // Denying some members of a group is a common pattern. Denying all of them is reported.
        guard let call = denied.first, group == nil || denied.count == entry.calls.count,
          let denial = denials[call]
        else { return nil }
        let name = group ?? call
        return RuleHit(name, entry.origin, "\"\(name)\" is allowed here and denied at \(denial)")
      }
    }
  }

  /// The rule that finds elements of `deny` that no rule allows.
  static let deniedWithoutGrant = PolicyRule(
    "DR2003",
    "denied-without-grant",
    .note,
    summary: "A call is denied that nothing allows",
    justification:
      "Whatever is not allowed is denied. The denial only matters to policies that extend this one: none of them can ever "
      + "allow the call.",
    remediation: "Remove the denial, or say in a justification that it is for those who extend the policy."
  ) { linted in
    linted.documents.indices.flatMap { index -> [RuleHit] in
      let allowed = Set(linted.documents[index...].flatMap(\.allow).map(\.call))
      return linted.documents[index].entries.filter { $0.list == .deny }.compactMap { entry in
        guard allowed.isDisjoint(with: entry.calls), let first = entry.calls.first else { return nil }
        let name = linted.entry(at: entry.origin)?.string ?? first
        return RuleHit(name, entry.origin, "\"\(name)\" is denied, but nothing allows it")
      }
    }
  }
}
