// SPDX-License-Identifier: Apache-2.0

internal import Refusals
internal import SandboxPolicy
internal import SystemCalls

/// The computation of the result of a call under a policy.
struct CallExplainer {
  /// The policy as written.
  let policy: ResolvedPolicy
  /// The isolation mode of the session.
  let mode: SessionMode
  /// The policy, as far as it applies to sessions of the mode.
  let effective: ResolvedPolicy
  let call: ParsedCall

  /// Creates an explainer for a call.
  init(_ policy: ResolvedPolicy, _ mode: SessionMode, _ call: ParsedCall) {
    self.policy = policy
    self.mode = mode
    self.call = call
    effective = mode.effective(policy)
  }

  typealias Part = CallExplanation.Part

  /// The results of the call, by arguments.
  var parts: [Part] {
    if let part = foreign { return [part] }
    guard let name = call.name, SystemCallTable.native.numbers[name] != nil else { return [unknown] }
    if let answer = CallAnswer.bypassingCalls[name] { return [bypass(answer)] }
    return known(name)
  }

  /// The result for a call of another architecture, or `nil` if the call is native.
  private var foreign: Part? {
    let native = CallArchitecture.native
    let beyond = native == .x86 && call.number >= CallArchitecture.x32Bit && call.number != .max
    guard call.architecture.auditArchitecture != native.auditArchitecture || beyond else { return nil }
    return Part(
      answer: .killed,
      rules: [],
      reason:
        "the filter only allows calls of \(native.rawValue), because calls of other architectures could bypass it; "
        + "no policy can allow them"
    )
  }

  /// The result for a number without a call.
  private var unknown: Part {
    Part(
      answer: .denied(.notImplemented),
      rules: [],
      reason: "this version of Darkroom knows no call with this number, so no policy can name it"
    )
  }

  /// Returns the result for a call that bypasses filters.
  private func bypass(_ answer: CallAnswer.BypassAnswer) -> Part {
    Part(
      answer: .bypassed(answer),
      rules: [],
      reason:
        "only the kernel's trampolines make this call, so Linux exempts it from filters; the call has no effect "
        + "elsewhere. A kernel without this exception evaluates the filter, which returns EPERM"
    )
  }

  /// Returns the results for a native call.
  private func known(_ name: String) -> [Part] {
    let requested = ArgumentPattern(stated: call.arguments)
    let permittedCalls = PermittedCalls(effective)
    let grants = effective.rules(for: name).compactMap { rule -> CallExplanation.Grant? in
      guard let pattern = ArgumentPattern(rule.conditions), pattern.intersects(requested) else { return nil }
      return CallExplanation.Grant(
        origin: rule.origin,
        groups: rule.groups,
        condition: RuleText.conditions(rule.conditions, of: name),
        pattern: pattern
      )
    }
    // A rule without conditions includes all other rules.
    let plain = grants.filter { $0.pattern == .anything }
    let allowed = grants.isEmpty ? [] : [Part(answer: .allowed, rules: plain.isEmpty ? grants : plain)]
    let left = permittedCalls.uncovered(requested, of: name)
    return allowed + (bestExample(left, name).map { [refusal(name, $0, requested)] } ?? [])
  }

  /// Returns the best example of the arguments that no rule allows: a named constant, or otherwise the lowest
  /// values.
  private func bestExample(_ left: [ArgumentPattern], _ name: String) -> ArgumentPattern? {
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

  /// Returns the result for arguments that no rule allows; `left` is one of their patterns.
  private func refusal(_ name: String, _ left: ArgumentPattern, _ requested: ArgumentPattern) -> Part {
    let special = effective.rules(for: name).isEmpty ? DenialErrno.exceptions.first { $0.key == name } : nil
    let example = example(name, left)
    var part = Part(answer: .denied(special?.value ?? .notPermitted), rules: [])
    let selector = Self.selectors[name].map { requested.masks[$0] == 0 } ?? false
    if example.masks != requested.masks || selector {
      part.example = CallText.render(name, example.example, on: call.architecture)
    }
    if policy.allows(name, example.example), case .restricted(let signalsAreScoped) = mode {
      // The restricted mode, not the policy, refuses the call, so changing the policy has no effect.
      let why = RestrictedCalls.reason(for: name, signalsAreScoped: signalsAreScoped)
      part.reason =
        "the policy \(policy.name) allows the call, but " + (why ?? "not in a session without namespaces")
      part.origin = .elsewhere
      part.fix = Fix(
        alternative: NamespaceFix.text
      )
      return part
    }
    let explanation = RefusalExplanation(call: name, arguments: example.example, policy: policy)
    part.origin = explanation.origin
    part.fix = explanation.fix
    if case .otherArguments(let rules) = explanation.origin, left.masks != requested.masks {
      part.reason =
        (rules.count == 1 ? "one rule allows" : "\(rules.count) rules allow")
        + " the call only with other arguments"
    } else {
      part.reason = explanation.reason
    }
    return part
  }

  /// The argument that selects the operation of a call, where the refusal of one value does not imply the
  /// refusal of others.
  private static let selectors: [String: Int] = ["prctl": 0, "fcntl": 1, "ioctl": 1]

  /// Returns an example of a refused pattern. If possible, the example has arguments that a policy could
  /// allow.
  private func example(_ name: String, _ left: ArgumentPattern) -> ArgumentPattern {
    guard let requirement = PolicyCore.requirements[name] else { return left }
    let wanted = requirement.limits.compactMap { limit -> ArgumentCondition? in
      switch limit.kind {
      case .among(let values, let bits):
        values.min().map { ArgumentCondition(index: limit.index, mask: bits, value: $0) }
      case .noneOf: nil
      }
    }
    guard !wanted.isEmpty else { return left }
    return ArgumentPattern(wanted).flatMap(left.intersection) ?? left
  }
}
