// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension PolicyReader {
  /// Returns the rules of `syscalls.allow`.
  mutating func allowed(_ node: JSONNode?, _ keyPath: String) -> [SyscallRule] {
    var rules: [SyscallRule] = []
    var seen: Set<String> = []
    for (node, keyPath) in elements(node, keyPath) {
      switch node.kind {
      case .string(let name):
        guard seen.insert(name).inserted else {
          report(.repeated(name), in: node, keyPath)
          continue
        }
        rules += named(name, node, keyPath)
      case .object:
        if let rule = ruleWithArguments(node, keyPath) { rules.append(rule) }
      default:
        reportWrongKind(.call, node, keyPath)
      }
    }
    return rules
  }

  /// Returns the calls of `syscalls.deny`.
  mutating func denied(_ node: JSONNode?, _ keyPath: String) -> [Sourced<String>] {
    var names: [Sourced<String>] = []
    for (node, keyPath) in elements(node, keyPath) {
      if case .object = node.kind {
        report(.conditionalDenial, in: node, keyPath)
      } else if let name = text(node, keyPath, expected: .call) {
        let group = name.hasPrefix("@") ? name : nil
        names += deniedCalls(name, node, keyPath).map { Sourced($0, origin(node), group: group) }
      }
    }
    return names
  }

  /// Returns the call or the members of the group that a denial names.
  private mutating func deniedCalls(_ name: String, _ node: JSONNode, _ keyPath: String) -> [String] {
    if name.hasPrefix("@") {
      guard let members = CallGroup.calls(of: name) else {
        reportUnknownGroup(name, node, keyPath)
        return []
      }
      return members.filter { !ExecutePermission.calls.contains($0) }
    }
    if let mistake = Self.mistake(inName: name) {
      report(mistake, in: node, keyPath)
      return []
    }
    return [name]
  }

  /// Returns the rules for the call or the group that an element of `syscalls.allow` names.
  private mutating func named(_ name: String, _ node: JSONNode, _ keyPath: String) -> [SyscallRule] {
    let origin = origin(node)
    if name.hasPrefix("@") {
      guard let members = CallGroup.calls(of: name) else {
        reportUnknownGroup(name, node, keyPath)
        return []
      }
      // A group is a shorthand: it includes no forbidden call and no call that needs conditions.
      let harmless = members.map { SyscallRule(call: $0, origin: origin, group: name) }
        .filter { PolicyCore.violation(of: $0) == nil && !ExecutePermission.calls.contains($0.call) }
      if harmless.isEmpty { report(.coreGroup(name), in: node, keyPath) }
      return harmless
    }
    return validated(SyscallRule(call: name, origin: origin), node, keyPath).map { [$0] } ?? []
  }

  private mutating func ruleWithArguments(_ node: JSONNode, _ keyPath: String) -> SyscallRule? {
    guard let members = members(node, keyPath, as: PolicyKeys.Rule.self) else { return nil }
    let mistakes = diagnostics.count
    var conditions: [ArgumentCondition] = []
    for (node, keyPath) in elements(members[.arguments], "\(keyPath).arguments") {
      guard let condition = condition(node, keyPath) else { continue }
      if conditions.contains(where: { $0.index == condition.index }) {
        report(.repeatedArgument(condition.index), in: node, keyPath)
      }
      conditions.append(condition)
    }
    guard let callNode = members[.call] else {
      report(.missingKey("call"), in: node, keyPath)
      return nil
    }
    guard let name = text(callNode, "\(keyPath).call") else { return nil }
    if name.hasPrefix("@") {
      report(.conditionalGroup(name), in: callNode, "\(keyPath).call")
      return nil
    }
    // A rule with an unreadable condition is not checked against the core: the check would see only the
    // others.
    guard diagnostics.count == mistakes else { return nil }
    let rule = SyscallRule(call: name, conditions: conditions, origin: origin(node))
    return validated(rule, callNode, "\(keyPath).call")
  }

  /// Returns the rule if its call exists and does not violate the core; otherwise, reports the mistake.
  private mutating func validated(_ rule: SyscallRule, _ node: JSONNode, _ keyPath: String) -> SyscallRule? {
    if let mistake = Self.mistake(inName: rule.call) ?? Self.coreMistake(in: rule) {
      report(mistake, in: node, keyPath)
      return nil
    }
    return rule
  }

  /// Returns the violation of the core by a rule, or `nil` if there is none.
  private static func coreMistake(in rule: SyscallRule) -> PolicyMistake? {
    guard let area = PolicyCore.violation(of: rule) else { return nil }
    return PolicyCore.requirements[rule.call].map { .coreArguments(rule.call, $0) }
      ?? .coreCall(rule.call, area)
  }

  /// Returns the mistake in the name of a call, regardless of the core, or `nil` if there is none.
  private static func mistake(inName name: String) -> PolicyMistake? {
    if ExecutePermission.calls.contains(name) { return .governedByExecute(name) }
    guard !SystemCallTable.contains(name) else { return nil }
    return .unknownCall(
      name,
      suggestion: SpellingSuggestion.nearest(to: name, among: SystemCallTable.allNames)
    )
  }

  private mutating func reportUnknownGroup(_ name: String, _ node: JSONNode, _ keyPath: String) {
    let suggestion = SpellingSuggestion.nearest(to: name, among: CallGroup.members.keys)
    report(.unknownGroup(name, suggestion: suggestion), in: node, keyPath)
  }
}
