// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy
internal import SystemCalls

/// What there is to know about a call beyond what becomes of it, a sentence each.
struct CallNotes {
  /// The policy as it is written.
  let policy: ResolvedPolicy
  /// The call.
  let call: ParsedCall
  /// What becomes of it.
  let parts: [CallExplanation.Part]

  /// The sentences.
  var sentences: [String] {
    guard let name = call.name, call.architecture == .native else { return [] }
    return [
      core(name), requirement(name), leftOut(name), execution(name), special(name), narrower(name),
      path(name), upperHalf,
      since(name),
    ].compactMap(\.self)
  }

  /// The part of the core that the call belongs to.
  private func core(_ name: String) -> String? {
    PolicyCore.area[name].map { "No policy can allow it (core area \($0.rawValue)): \($0.reason)." }
  }

  /// What the core asks of its arguments.
  private func requirement(_ name: String) -> String? {
    guard parts.contains(where: { $0.answer != .allowed }) else { return nil }
    return PolicyCore.requirements[name].map {
      "A policy can allow it only with \($0) (core area \($0.area.rawValue)): \($0.area.reason)."
    }
  }

  /// The groups of the policy that have the call as a member and still don't bring it.
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
      : "It is a member of \(RuleText.list(places)), but no group brings a call "
        + (PolicyCore.area[name] == nil ? "that needs an argument rule." : "of the core.")
  }

  /// Where it stands whether programs can be started.
  private func execution(_ name: String) -> String? {
    guard ExecutePermission.calls.contains(name) else { return nil }
    let once =
      policy.execute == .once
      ? ": the one way that is left is that by which the launcher starts the program, with a descriptor that it can't have "
        + "afterwards" : ""
    return "It is governed by \"execute\": \"\(policy.execute.rawValue)\" (\(policy.executeOrigin))\(once)."
  }

  /// Why it is answered otherwise than other calls.
  private func special(_ name: String) -> String? {
    for case .denied(let answer) in parts.map(\.answer) {
      guard let reason = answer.reason else { continue }
      return "The program is not refused as usual: \(reason)."
    }
    return nil
  }

  /// How many rules say nothing beside one without conditions.
  private func narrower(_ name: String) -> String? {
    let rules = parts.flatMap(\.rules)
    guard rules.contains(where: { $0.condition.isEmpty }) else { return nil }
    let others = policy.rules(for: name).filter { !$0.conditions.isEmpty }
    guard let first = others.first else { return nil }
    let places = others.count == 1 ? "\(first.origin)" : "\(first.origin) and \(others.count - 1) others"
    return "The rules that ask for certain arguments say nothing beside it: \(places)."
  }

  /// Who else has a say where the call names a file.
  private func path(_ name: String) -> String? {
    guard parts.contains(where: { $0.answer == .allowed }),
      CallSignature.of(name)?.parameters.contains(where: { $0.kind == .path }) == true
    else { return nil }
    return
      "Which files it reaches is for the session's root and Landlock to say: see 'darkroom explain PATH'."
  }

  /// That the upper half of arguments doesn't count, where it isn't empty.
  private var upperHalf: String? {
    let isWide = call.arguments.contains { argument in
      argument.map { $0 >> 32 != 0 && Int64(bitPattern: $0) != Int64(Int32(truncatingIfNeeded: $0)) } ?? false
    }
    return isWide
      ? "The filter looks at the lower 32 bits of an argument only, as the kernel does with flags and requests."
      : nil
  }

  /// Since when there is such a call.
  private func since(_ name: String) -> String? {
    CallTable.since(name).map { "Linux has the call since \($0)." }
  }
}
