// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// The reason why a policy refuses a call.
package struct RefusalExplanation {
  /// The origin of the refusal.
  package let origin: RefusalOrigin
  /// The reason as text.
  package let reason: String
  package let fix: Fix

  /// Creates the explanation of a refused call.
  package init(call: String, arguments: [UInt64], policy: ResolvedPolicy) {
    let writer = FixWriter(call: call, arguments: arguments, policy: policy)
    let origin = Self.origin(call, arguments, policy, writer)
    self.origin = origin
    let advice = CallAdvice(call, arguments, mayBeRestricted: policy.bestEffort.contains(.userNamespace))
    let restriction = origin == .elsewhere ? Self.restriction(call, policy) : nil
    let obstacle = Self.dependsOnPolicy(origin) ? advice.obstacle : nil
    reason =
      restriction ?? obstacle.map { "\($0), whatever its policy allows" }
      ?? Self.reason(origin, call, policy, advice)
    fix = Fix(
      alternative: restriction == nil
        ? advice.alternative ?? Self.area(origin).map(\.alternative)
        : NamespaceFix.text,
      policy: obstacle == nil
        ? writer.fix(for: origin, caveat: advice.caveat, directory: advice.directory) : nil
    )
  }

  /// Returns whether another policy could change the filter's decision.
  private static func dependsOnPolicy(_ origin: RefusalOrigin) -> Bool {
    switch origin {
    case .denied, .otherArguments, .unlisted: true
    case .core, .execution, .unknown, .elsewhere: false
    }
  }

  /// Returns why restricted mode refuses a call that the policy allows, or `nil` if the policy does not
  /// permit restricted mode.
  private static func restriction(_ call: String, _ policy: ResolvedPolicy) -> String? {
    guard policy.bestEffort.contains(.userNamespace) else { return nil }
    return RestrictedCalls.reason(for: call, signalsAreScoped: false).map { reason in
      "the policy \(policy.name) allows the call, but the session is restricted: \(reason)"
    }
  }

  private static func origin(
    _ call: String,
    _ arguments: [UInt64],
    _ policy: ResolvedPolicy,
    _ writer: FixWriter
  ) -> RefusalOrigin {
    guard SystemCallTable.contains(call) else { return .unknown }
    if let area = PolicyCore.area[call] { return .core(area) }
    if policy.allows(call, arguments) { return .elsewhere }
    if ExecutePermission.calls.contains(call) { return .execution(policy.executeOrigin) }
    // With these arguments, the policy core permits no rule, so denials and grants are irrelevant.
    if writer.rule == nil, let requirement = PolicyCore.requirements[call] { return .core(requirement.area) }
    let denials = policy.denials(of: call)
    if !denials.isEmpty { return .denied(denials) }
    let rules = policy.rules(for: call)
    if rules.isEmpty { return .unlisted(policy.sources) }
    return .otherArguments(rules.map { FailedRule($0, arguments) })
  }

  private static func area(_ origin: RefusalOrigin) -> CoreArea? {
    if case .core(let area) = origin { area } else { nil }
  }

  private static func reason(
    _ origin: RefusalOrigin,
    _ call: String,
    _ policy: ResolvedPolicy,
    _ advice: CallAdvice
  ) -> String {
    switch origin {
    case .core(let area): "\(advice.rationale ?? area.rationale), whatever its policy allows"
    case .denied(let lines): "\(list(lines)) denies the call, and a denial overrides every rule"
    case .otherArguments(let rules): otherArguments(rules)
    case .unlisted(let documents):
      documents.isEmpty
        ? "no rule in the policy \(policy.name) allows the call"
        : "no rule in \(list(documents)) allows the call"
    case .execution(let line):
      "the policy does not allow a second program (\"execute\" in \(originText(line)))"
    case .unknown: "this version of Darkroom knows no call with this number"
    case .elsewhere:
      "the policy \(policy.name) allows the call, so another filter refused it"
    }
  }

  /// Returns the rules that did not match, or only the first rule and the number of rules if there are more
  /// than two.
  private static func otherArguments(_ rules: [FailedRule]) -> String {
    guard let first = rules.first, rules.count > 2 else {
      return rules.map(\.text).joined(separator: ", and ")
    }
    return
      "\(originText(first.origin)) and \(rules.count - 1) other rules allow the call only with other arguments, "
      + "but \(first.subject) is \(first.found)"
  }

  /// Returns values separated by commas.
  static func list(_ words: [some CustomStringConvertible]) -> String {
    UntrustedText.unquoted(words.prefix(4).map(\.description).joined(separator: ", "), limit: 400)
      + (words.count > 4 ? ", …" : "")
  }

  /// Returns a position in a document as printable text of limited length.
  static func originText(_ origin: PolicyOrigin) -> String { list([origin]) }
}

extension FailedRule {
  /// Creates a failed rule from the first condition that is false.
  init(_ rule: SyscallRule, _ arguments: [UInt64]) {
    let failed = rule.conditions.first { !$0.holds(for: arguments) }
    let words = failed.map { ConditionText(call: rule.call, condition: $0) }
    let argument = failed.flatMap { arguments.indices.contains($0.index) ? arguments[$0.index] : 0 } ?? 0
    self.init(
      origin: rule.origin,
      subject: words?.subject ?? "",
      condition: words?.text ?? "",
      found: words?.value(UInt32(truncatingIfNeeded: argument)) ?? ""
    )
  }

  /// The failed rule as text, such as `base.json:33:7 allows the call only if mode & S_ISUID is 0, but it is
  /// S_ISUID`.
  var text: String {
    "\(RefusalExplanation.originText(origin)) allows the call only if \(condition), but it is \(found)"
  }
}

/// A condition on an argument as text, with the name of the parameter.
package struct ConditionText {
  /// The name of the call.
  let call: String
  let condition: ArgumentCondition

  /// Creates the text of a condition on an argument of a call.
  package init(call: String, condition: ArgumentCondition) {
    self.call = call
    self.condition = condition
  }

  /// The condition, such as `option is PR_SET_NAME` or `mode & S_ISUID|S_ISGID is 0`.
  package var text: String { "\(subject) is \(value(condition.value))" }

  /// The left side of the condition, such as `option` or `mode & S_ISUID|S_ISGID`.
  package var subject: String {
    let mask = condition.mask == .max ? "" : " & \(masked(condition.mask))"
    return (parameter?.name ?? "argument \(condition.index)") + mask
  }

  /// Returns the part of an argument that the condition compares.
  package func value(_ argument: UInt32) -> String {
    let value = argument & condition.mask
    guard condition.mask == .max else { return masked(value) }
    guard case .family(let name)? = parameter?.kind, let names = ConstantFamily.all[name] else {
      return ArgumentText.hexadecimal(UInt64(value))
    }
    return names.text(value)
  }

  private var parameter: CallSignature.Parameter? {
    let parameters = CallSignature.all[call]?.parameters ?? []
    return parameters.indices.contains(condition.index) ? parameters[condition.index] : nil
  }

  /// Returns the names of bits.
  private func masked(_ bits: UInt32) -> String {
    let family: String?
    switch parameter?.kind {
    case .family(let name): family = name
    case .plain(.mode), .plain(.createmode), .plain(.filetype): family = "mode"
    case .plain(.clone): family = "clone"
    default: family = nil
    }
    return family.flatMap { ConstantFamily.all[$0]?.maskText(bits) } ?? ArgumentText.hexadecimal(UInt64(bits))
  }
}
