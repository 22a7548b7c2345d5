// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy
internal import SystemCalls

/// Additional facts about a call, one sentence each.
struct CallNotes {
  /// The policy as written.
  let policy: ResolvedPolicy
  let call: ParsedCall
  /// The results of the call.
  let parts: [CallExplanation.Part]

  /// The facts as sentences.
  var sentences: [String] {
    guard let name = call.name, call.architecture == .native else { return [] }
    return [
      core(name), requirement(name), leftOut(name), execution(name), special(name), narrower(name),
      path(name), upperHalf,
      since(name),
    ].compactMap(\.self)
  }

  /// Returns the core area of the call.
  private func core(_ name: String) -> String? {
    PolicyCore.area[name].map { "No policy can allow the call (core area \($0.rawValue)): \($0.reason)." }
  }

  /// Returns the arguments that the policy core requires.
  private func requirement(_ name: String) -> String? {
    guard parts.contains(where: { $0.answer != .allowed }) else { return nil }
    return PolicyCore.requirements[name].map {
      "A policy can allow the call only with \($0) (core area \($0.area.rawValue)): \($0.area.reason)."
    }
  }

  /// Returns the groups of the policy that contain the call without allowing it.
  private func leftOut(_ name: String) -> String? {
    guard PolicyCore.violation(of: SyscallRule(call: name, origin: policy.executeOrigin)) != nil else {
      return nil
    }
    var places: [String] = []
    for rule in policy.documents.flatMap(\.allow) {
      guard let group = rule.group, !CallGroup.path(from: group, to: name).isEmpty else { continue }
      let place = "\(group) (\(rule.origin))"
      if !places.contains(place) { places.append(place) }
    }
    return places.isEmpty
      ? nil
      : "The call is a member of \(RuleText.list(places)), but groups do not include calls "
        + (PolicyCore.area[name] == nil ? "that need an argument rule." : "of the policy core.")
  }

  /// Returns the origin of the setting for program execution.
  private func execution(_ name: String) -> String? {
    guard ExecutePermission.calls.contains(name) else { return nil }
    let once =
      policy.execute == .once
      ? "; only the launcher can start the program, with a descriptor that the program cannot have later" : ""
    return "\"execute\": \"\(policy.execute.rawValue)\" (\(policy.executeOrigin)) governs the call\(once)."
  }

  /// Returns the reason for an error other than EPERM.
  private func special(_ name: String) -> String? {
    for case .denied(let answer) in parts.map(\.answer) {
      guard let reason = answer.reason else { continue }
      return "The call fails with another error than EPERM: \(reason)."
    }
    return nil
  }

  /// Returns the rules that a rule without conditions makes redundant.
  private func narrower(_ name: String) -> String? {
    let rules = parts.flatMap(\.rules)
    guard rules.contains(where: { $0.condition.isEmpty }) else { return nil }
    let others = policy.rules(for: name).filter { !$0.conditions.isEmpty }
    guard let first = others.first else { return nil }
    let places = others.count == 1 ? "\(first.origin)" : "\(first.origin) and \(others.count - 1) others"
    return "Rules with argument conditions have no effect next to this rule: \(places)."
  }

  /// Returns a reference to Landlock and the session's root, if the call takes a path.
  private func path(_ name: String) -> String? {
    guard parts.contains(where: { $0.answer == .allowed }),
      CallSignature.of(name)?.parameters.contains(where: { $0.kind == .path }) == true
    else { return nil }
    return
      "The session's root and Landlock determine which files the call can access: see 'darkroom explain PATH'."
  }

  /// A note that the filter ignores the upper halves of arguments, if an argument has a nonzero one.
  private var upperHalf: String? {
    let isWide = call.arguments.contains { argument in
      argument.map { $0 >> 32 != 0 && Int64(bitPattern: $0) != Int64(Int32(truncatingIfNeeded: $0)) } ?? false
    }
    return isWide
      ? "The filter compares only the lower 32 bits of an argument, like the kernel for flags and requests."
      : nil
  }

  /// Returns the kernel version that introduced the call.
  private func since(_ name: String) -> String? {
    CallTable.since(name).map { "The call was added in Linux \($0)." }
  }
}
