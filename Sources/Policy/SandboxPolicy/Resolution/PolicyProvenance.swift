// SPDX-License-Identifier: Apache-2.0

/// The origin of every entry of a policy: the document of its chain, the groups, and the entries that it
/// shadows.
package struct PolicyProvenance: Sendable, Hashable {
  /// The entries in the order of a document's keys. For each key, entries of the document that extends
  /// nothing come first.
  package let entries: [PolicyEntry]

  /// Creates the provenance of a policy from its documents.
  package init(of policy: ResolvedPolicy) {
    let chain = policy.documents
    entries =
      Self.allowed(policy) + Self.denied(chain) + Self.paths(policy) + Self.devices(policy)
      + [Self.nearest(.scratch, chain.map { $0.scratchBytes.map { ($0.origin, .quantity($0.value)) } })]
      .map { $0 ?? PolicyEntry(key: .scratch, value: .quantity(policy.scratchBytes)) }
      + LimitName.allCases.map { name in
        Self.nearest(.limit(name), chain.map { $0.limits[name].map { ($0.origin, .quantity($0.value)) } })
          ?? PolicyEntry(key: .limit(name), value: .quantity(name.defaultValue))
      }
      + [
        Self.nearest(.bestEffort, chain.map { $0.bestEffort.map { ($0.origin, .layers($0.value)) } })
          ?? PolicyEntry(key: .bestEffort, value: .layers(policy.bestEffort)),
        Self.nearest(
          .acceptSingleMechanism,
          chain.map { $0.acceptSingleMechanism.map { ($0.origin, .accesses($0.value)) } }
        ) ?? PolicyEntry(key: .acceptSingleMechanism, value: .accesses(policy.acceptSingleMechanism)),
        Self.nearest(.execute, chain.map { $0.execute.map { ($0.origin, .execute($0.value)) } })
          ?? PolicyEntry(key: .execute, value: .execute(policy.execute)),
        Self.nearest(.semaphores, chain.map { $0.semaphores.map { ($0.origin, .semaphores($0.value)) } })
          ?? PolicyEntry(key: .semaphores, value: .semaphores(policy.semaphores)),
        Self.nearest(.content, chain.map { $0.content.map { ($0.origin, .content($0.value)) } })
          ?? PolicyEntry(key: .content, value: .content(policy.content)),
      ]
  }

  /// Returns the entries under a key.
  package subscript(key: PolicyEntry.Key) -> [PolicyEntry] { entries.filter { $0.key == key } }

  /// Returns the entry of a key that the nearest document decides, or `nil` if no document sets it.
  ///
  /// `values` has the value of each document of the chain, or `nil`, starting with the policy's own
  /// document.
  private static func nearest(
    _ key: PolicyEntry.Key,
    _ values: [(origin: PolicyOrigin, value: PolicyEntry.Value)?]
  ) -> PolicyEntry? {
    let presentValues = values.compactMap(\.self)
    guard let first = presentValues.first else { return nil }
    let others = presentValues.dropFirst().map {
      PolicyEntry.Shadowed(
        value: $0.value,
        origin: $0.origin,
        reason: $0.value == first.value ? .repeated : .overridden
      )
    }
    return PolicyEntry(key: key, value: first.value, origin: first.origin, shadowed: others)
  }

  /// Returns the effective rules, with the rules that repeat them or allow less. The rules that start the
  /// program are left out, because no document contains them.
  private static func allowed(_ policy: ResolvedPolicy) -> [PolicyEntry] {
    let written = policy.documents.reversed().flatMap(\.allow)
    return policy.calls.filter { !ExecutePermission.calls.contains($0.call) }.map { rule in
      let others = written.filter { $0.call == rule.call && $0.origin != rule.origin }
      let repetitions = others.filter { $0.conditions == rule.conditions }
      let narrower = rule.conditions.isEmpty ? others.filter { !$0.conditions.isEmpty } : []
      return PolicyEntry(
        key: .allow,
        value: .rule(rule),
        origin: rule.origin,
        groups: rule.groups,
        shadowed: repetitions.map { shadowed($0, .repeated) } + narrower.map { shadowed($0, .covered) }
      )
    }
  }

  /// Returns the denials, one for each call, with the rules and denials that they shadow.
  private static func denied(_ chain: [PolicyDocument]) -> [PolicyEntry] {
    let rules = Dictionary(grouping: chain.reversed().flatMap(\.allow), by: \.call)
    var entries: [PolicyEntry] = []
    var places: [String: Int] = [:]
    for denial in chain.reversed().flatMap(\.deny) {
      let groups = denial.group.map { CallGroup.path(from: $0, to: denial.value) } ?? []
      if let place = places[denial.value] {
        entries[place].shadowed.append(
          .init(value: .call(denial.value), origin: denial.origin, groups: groups, reason: .repeated)
        )
        continue
      }
      places[denial.value] = entries.count
      entries.append(
        PolicyEntry(
          key: .deny,
          value: .call(denial.value),
          origin: denial.origin,
          groups: groups,
          shadowed: (rules[denial.value] ?? []).map { shadowed($0, .denied) }
        )
      )
    }
    return entries
  }

  /// Returns the paths, with the entries of other documents for the same path.
  private static func paths(_ policy: ResolvedPolicy) -> [PolicyEntry] {
    let written = policy.documents.reversed().flatMap(\.readOnly)
    return policy.readOnly.map { grant in
      let others = written.filter { $0.path == grant.path && $0.origin != grant.origin }
      return PolicyEntry(
        key: .readOnly,
        value: .path(grant),
        origin: grant.origin,
        shadowed: others.map {
          .init(
            value: .path($0),
            origin: $0.origin,
            reason: $0.presence == grant.presence ? .repeated : .required
          )
        }
      )
    }
  }

  /// Returns the devices, with the positions that repeat each of them.
  private static func devices(_ policy: ResolvedPolicy) -> [PolicyEntry] {
    let written = policy.documents.reversed().flatMap(\.devices)
    return policy.devices.map { device in
      let repetitions = written.filter { $0.value == device.value && $0.origin != device.origin }
      return PolicyEntry(
        key: .devices,
        value: .device(device.value),
        origin: device.origin,
        shadowed: repetitions.map { .init(value: .device($0.value), origin: $0.origin, reason: .repeated) }
      )
    }
  }

  /// Returns a rule that has no effect.
  private static func shadowed(_ rule: SyscallRule, _ reason: PolicyEntry.Reason) -> PolicyEntry.Shadowed {
    .init(value: .rule(rule), origin: rule.origin, groups: rule.groups, reason: reason)
  }
}

extension SyscallRule {
  /// The groups through which the call was included, outermost first.
  package var groups: [String] { group.map { CallGroup.path(from: $0, to: call) } ?? [] }
}
