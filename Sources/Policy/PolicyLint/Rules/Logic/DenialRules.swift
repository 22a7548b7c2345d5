// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about denials.
extension PolicyRule {
  /// The rule that finds elements of `allow` that the same document or an ancestor denies.
  static let allowedAndDenied = PolicyRule(
    "DR2002",
    "allowed-and-denied",
    .warning,
    summary: "An allowed call remains denied",
    justification:
      "A denial anywhere in the chain wins, even over a rule of an extending policy. The rule grants nothing, and "
      + "the program fails although the policy seems to allow the call.",
    remediation:
      "Remove the rule or the denial; a denial of an extended policy can only be changed in that policy."
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
        return RuleHit(name, entry.origin, "\"\(name)\" is allowed here but denied at \(denial)")
      }
    }
  }

  /// The rule that finds elements of `deny` that no rule allows.
  static let deniedWithoutGrant = PolicyRule(
    "DR2003",
    "denied-without-grant",
    .note,
    summary: "A call is denied that no rule allows",
    justification:
      "Every call that is not allowed is denied. The denial only affects policies that extend this policy: none of "
      + "them can allow the call.",
    remediation: "Remove the denial, or state in a justification that the denial is for extending policies."
  ) { linted in
    linted.documents.indices.flatMap { index -> [RuleHit] in
      let allowed = Set(linted.documents[index...].flatMap(\.allow).map(\.call))
      return linted.documents[index].entries.filter { $0.list == .deny }.compactMap { entry in
        guard allowed.isDisjoint(with: entry.calls), let first = entry.calls.first else { return nil }
        let name = linted.entry(at: entry.origin)?.string ?? first
        return RuleHit(name, entry.origin, "\"\(name)\" is denied, but no rule allows it")
      }
    }
  }
}
