// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import JSONText
internal import SandboxPolicy
internal import SystemCalls

/// Finds the rules of a policy for one call after another.
struct DraftRules {
  /// The rules of the profile by call.
  private var rules: [String: [CallProfile.Rule]] = [:]
  /// Whether what is allowed of a call can be read off its rules one by one.
  private let isPlain: Bool
  /// Whether the first rule that matches counts.
  private let isOrdered: Bool
  /// The numbers of the calls about which a library's program decides, and not the rules.
  private let merged: Set<UInt32>

  /// Sorts a profile's rules; without a profile there are none.
  init(_ profile: CallProfile?) {
    isPlain = profile.map { !$0.defaultAction.isMade && $0.unknownNumbers?.isMade != true } ?? false
    isOrdered = profile?.precedence == .order
    merged = profile?.merged?.numbers[.native] ?? []
    for rule in profile?.rules ?? [] {
      for call in rule.calls { rules[call, default: []].append(rule) }
    }
  }

  /// The ways in which a call is allowed, of which this set is the whole.
  func ways(_ call: String, _ set: CallSet) throws(AnalysisError) -> [BitConditions] {
    if isPlain, let own = plainRules(call) {
      return own.flatMap { rule in
        BitConditions.product(rule.conditions.map { BitReading(call, $0.index).ways($0) }) ?? []
      }
    }
    let regions: [CallRegion]
    do { regions = try set.regions() } catch .tooManyParts {
      // Nobody could read them: what is not said is not allowed.
      return []
    }
    return regions.flatMap { region in
      region.alternatives.flatMap { conditions in Self.ways(call, conditions) }
    }
  }

  /// The rules that allow a call, if each of them can be taken as it is; nil: others come between or before.
  private func plainRules(_ call: String) -> [CallProfile.Rule]? {
    if let number = CallTable.of(.native).number(of: call), merged.contains(number) { return nil }
    let own = rules[call] ?? []
    let allowing = own.prefix { $0.action.isMade }
    let rest = own.dropFirst(allowing.count)
    // Where the order counts, refusals that come last change nothing.
    let isDecided = rest.isEmpty || (isOrdered && rest.allSatisfy { !$0.action.isMade })
    return isDecided ? Array(allowing) : nil
  }

  /// The ways in which several conditions hold; none if one of them cannot be said.
  private static func ways(_ call: String, _ conditions: [ArgumentConstraint]) -> [BitConditions] {
    var factors: [[BitConditions]] = []
    for condition in conditions {
      guard case .argument(let index) = condition.field,
        let ways = BitReading(call, index).ways(condition.values)
      else { return [] }
      factors.append(ways)
    }
    return BitConditions.product(factors) ?? []
  }

  /// What is left of the ways if the core is kept.
  static func keepingCore(_ call: String, _ ways: [BitConditions]) -> [BitConditions] {
    guard PolicyCore.area[call] == nil else { return [] }
    guard let requirement = PolicyCore.requirements[call] else { return ways }
    let required: [[BitConditions]] = requirement.limits.map { limit in
      switch limit.kind {
      case .among(let values, let bits):
        values.sorted().map { BitConditions(limit.index, BitPattern(mask: bits, value: $0)) }
      case .exactlyNot: [BitConditions()]
      }
    }
    let origin = PolicyOrigin(source: "", position: .init(line: 1, column: 1))
    let exact = requirement.limits.reduce(ways) { ways, limit in
      if case .exactlyNot = limit.kind { ways.flatMap { $0.values(of: limit.index) } } else { ways }
    }
    return (BitConditions.product([exact] + required) ?? []).filter { way in
      PolicyCore.violation(of: SyscallRule(call: call, conditions: way.ofPolicy, origin: origin)) == nil
    }
  }
}
