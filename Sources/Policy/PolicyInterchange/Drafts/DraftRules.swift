// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import JSONText
internal import SandboxPolicy
internal import SystemCalls

/// An index of a profile's rules, from which the policy rules for each call are derived.
struct DraftRules {
  /// The rules of the profile by call name.
  private var rules: [String: [CallProfile.Rule]] = [:]
  /// Whether the allowed arguments of a call can be derived from each rule separately.
  private let isPlain: Bool
  /// Whether the first matching rule counts.
  private let isOrdered: Bool
  /// The call numbers that a library's merged program decides instead of the rules.
  private let merged: Set<UInt32>

  /// Creates an index of a profile's rules, or an empty index without a profile.
  init(_ profile: CallProfile?) {
    isPlain =
      profile.map { !$0.defaultAction.executesCall && $0.unknownNumbers?.executesCall != true } ?? false
    isOrdered = profile?.precedence == .order
    merged = profile?.merged?.numbers[.native] ?? []
    for rule in profile?.rules ?? [] {
      for call in rule.calls { rules[call, default: []].append(rule) }
    }
  }

  /// Returns the alternatives in which a call is allowed; `set` is the complete set of allowed calls.
  func alternatives(_ call: String, _ set: CallSet) throws(AnalysisError) -> [BitConditions] {
    if isPlain, let own = plainRules(call) {
      return own.flatMap { rule in
        BitConditions.product(rule.conditions.map { BitConditionTranslator(call, $0.index).alternatives($0) })
          ?? []
      }
    }
    let regions: [CallRegion]
    do { regions = try set.regions() } catch .tooManyParts {
      // Rules for this many parts would be unreadable. The policy refuses the call instead.
      return []
    }
    return regions.flatMap { region in
      region.alternatives.flatMap { conditions in Self.alternatives(call, conditions) }
    }
  }

  /// Returns the rules that allow a call if each can be translated separately, or `nil` if other rules
  /// interfere.
  private func plainRules(_ call: String) -> [CallProfile.Rule]? {
    if let number = CallTable.of(.native).number(of: call), merged.contains(number) { return nil }
    let own = rules[call] ?? []
    let allowing = own.prefix { $0.action.executesCall }
    let rest = own.dropFirst(allowing.count)
    // In an ordered profile, refusals after the last allowing rule have no effect.
    let isDecided = rest.isEmpty || (isOrdered && rest.allSatisfy { !$0.action.executesCall })
    return isDecided ? Array(allowing) : nil
  }

  /// Returns the alternatives of a conjunction, or an empty array if a policy cannot express one of its
  /// conditions.
  private static func alternatives(_ call: String, _ conditions: [ArgumentConstraint]) -> [BitConditions] {
    var factors: [[BitConditions]] = []
    for condition in conditions {
      guard case .argument(let index) = condition.field,
        let alternatives = BitConditionTranslator(call, index).alternatives(condition.values)
      else { return [] }
      factors.append(alternatives)
    }
    return BitConditions.product(factors) ?? []
  }

  /// Returns the alternatives that the policy core permits.
  static func enforcingCore(_ call: String, _ alternatives: [BitConditions]) -> [BitConditions] {
    guard PolicyCore.area[call] == nil else { return [] }
    guard let requirement = PolicyCore.requirements[call] else { return alternatives }
    let required: [[BitConditions]] = requirement.limits.map { limit in
      switch limit.kind {
      case .among(let values, let bits):
        values.sorted().map { BitConditions(limit.index, BitPattern(mask: bits, value: $0)) }
      case .noneOf: [BitConditions()]
      }
    }
    let origin = PolicyOrigin(source: "", position: .init(line: 1, column: 1))
    let exact = requirement.limits.reduce(alternatives) { alternatives, limit in
      if case .noneOf = limit.kind {
        alternatives.flatMap { $0.enumerated(of: limit.index) }
      } else {
        alternatives
      }
    }
    return (BitConditions.product([exact] + required) ?? []).filter { alternative in
      PolicyCore.violation(
        of: SyscallRule(call: call, conditions: alternative.argumentConditions, origin: origin)
      ) == nil
    }
  }
}
