// SPDX-License-Identifier: Apache-2.0

internal import Refusals
internal import SandboxPolicy
internal import SystemCalls

/// Works out what becomes of a call.
struct CallExplainer {
  /// The policy as it is written.
  let policy: ResolvedPolicy
  /// What kind of session is asked about.
  let mode: SessionMode
  /// What is left of the policy in such a session.
  let effective: ResolvedPolicy
  /// The call.
  let call: ParsedCall

  /// Prepares an answer.
  init(_ policy: ResolvedPolicy, _ mode: SessionMode, _ call: ParsedCall) {
    self.policy = policy
    self.mode = mode
    self.call = call
    effective = mode.effective(policy)
  }

  /// A short name for what explanations consist of.
  typealias Part = CallExplanation.Part

  /// What becomes of the call, part by part.
  var parts: [Part] {
    if let part = foreign { return [part] }
    guard let name = call.name, SystemCallTable.native.numbers[name] != nil else { return [unknown] }
    if let answer = CallAnswer.bypassing[name] { return [bypass(answer)] }
    return known(name)
  }

  /// A call that another architecture makes; nil if it is one of this machine's own.
  private var foreign: Part? {
    let native = CallArchitecture.native
    let beyond = native == .x86 && call.number >= CallArchitecture.x32Bit && call.number != .max
    guard call.architecture.auditNumber != native.auditNumber || beyond else { return nil }
    return Part(
      answer: .killed,
      rules: [],
      reason:
        "the filter is for \(native.rawValue) alone, and a call of another architecture would be a way around it: no "
        + "policy can allow one"
    )
  }

  /// A number that means nothing here.
  private var unknown: Part {
    Part(
      answer: .denied(.notImplemented),
      rules: [],
      reason: "no kernel that this was built for has a call of that number, so that no policy can name it"
    )
  }

  /// A call that no filter sees.
  private func bypass(_ answer: CallAnswer.BypassAnswer) -> Part {
    Part(
      answer: .bypassed(answer),
      rules: [],
      reason:
        "the kernel's own trampolines make this call, so that Linux lets it past every filter; made from anywhere else the "
        + "call does nothing. A kernel without this exception asks the filter, which answers EPERM"
    )
  }

  /// A call of this machine.
  private func known(_ name: String) -> [Part] {
    let asked = ArgumentPattern(stated: call.arguments)
    let reach = PolicyReach(effective)
    let grants = effective.rules(for: name).compactMap { rule -> CallExplanation.Grant? in
      guard let pattern = ArgumentPattern(rule.conditions), pattern.meets(asked) else { return nil }
      return CallExplanation.Grant(
        origin: rule.origin,
        groups: rule.groups,
        condition: RuleText.conditions(rule.conditions, of: name),
        pattern: pattern
      )
    }
    // A rule without conditions says all that the others could.
    let plain = grants.filter { $0.pattern == .anything }
    let allowed = grants.isEmpty ? [] : [Part(answer: .allowed, rules: plain.isEmpty ? grants : plain)]
    let left = reach.leftOver(asked, of: name)
    return allowed + (simplest(left, name).map { [refusal(name, $0, asked)] } ?? [])
  }

  /// The way that shows best what is left over: with a constant of the kernel's that no rule allows, or with the lowest
  /// values.
  private func simplest(_ left: [ArgumentPattern], _ name: String) -> ArgumentPattern? {
    let parameters = CallSignature.of(name)?.parameters ?? []
    for index in Set(effective.rules(for: name).flatMap(\.conditions).map(\.index)).sorted() {
      guard parameters.indices.contains(index), let family = parameters[index].family else { continue }
      for constant in family.constants {
        guard let value = constant.value(on: .native).flatMap(UInt32.init(exactly:)),
          let named = ArgumentPattern([ArgumentCondition(index: index, value: value)])
        else { continue }
        if let found = left.lazy.compactMap({ $0.intersection(named) }).first { return found }
      }
    }
    return left.min { $0.example.lexicographicallyPrecedes($1.example) }
  }

  /// What becomes of the call where no rule allows it; `left` is one of the ways that are left over.
  private func refusal(_ name: String, _ left: ArgumentPattern, _ asked: ArgumentPattern) -> Part {
    let special = effective.rules(for: name).isEmpty ? DenialAnswer.special.first { $0.key == name } : nil
    let example = example(name, left)
    var part = Part(answer: .denied(special?.value ?? .notPermitted), rules: [])
    let selector = Self.selectors[name].map { asked.masks[$0] == 0 } ?? false
    if example.masks != asked.masks || selector {
      part.example = CallText.render(name, example.example, on: call.architecture)
    }
    if policy.allows(name, example.example), case .restricted(let signalsAreScoped) = mode {
      // What the policy gives and such a session takes back is not to be mended in the policy.
      let why = RestrictedCalls.reason(for: name, signalsAreScoped: signalsAreScoped)
      part.reason =
        "the policy \(policy.name) allows it, but " + (why ?? "not in a session without namespaces")
      part.origin = .elsewhere
      part.mend = Mend(
        instead: "do without it here, or let this user make user namespaces ('darkroom doctor' says how)"
      )
      return part
    }
    let explanation = Explanation(call: name, arguments: example.example, policy: policy)
    part.origin = explanation.origin
    part.mend = explanation.mend
    if case .otherArguments(let rules) = explanation.origin, left.masks != asked.masks {
      part.reason =
        (rules.count == 1 ? "one rule allows" : "\(rules.count) rules allow")
        + " it with other arguments only"
    } else {
      part.reason = explanation.reason
    }
    return part
  }

  /// The argument that says what the call does at all, where the refusal of one value says nothing of the others.
  private static let selectors: [String: Int] = ["prctl": 0, "fcntl": 1, "ioctl": 1]

  /// One of the ways that are left over: where nothing else was stated, one that a policy could allow.
  private func example(_ name: String, _ left: ArgumentPattern) -> ArgumentPattern {
    guard let requirement = PolicyCore.requirements[name] else { return left }
    let wanted = requirement.limits.compactMap { limit -> ArgumentCondition? in
      switch limit.kind {
      case .among(let values, let bits):
        values.min().map { ArgumentCondition(index: limit.index, mask: bits, value: $0) }
      case .exactlyNot: nil
      }
    }
    guard !wanted.isEmpty else { return left }
    return ArgumentPattern(wanted).flatMap(left.intersection) ?? left
  }
}
