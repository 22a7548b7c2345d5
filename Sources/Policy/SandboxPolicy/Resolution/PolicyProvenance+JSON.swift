// SPDX-License-Identifier: Apache-2.0

package import JSONText

extension PolicyProvenance {
  /// Returns the flattened document, with an object of value and origin in place of each entry.
  ///
  /// An origin is a position as text, such as `base.json:7:14`. An entry that is a default has none.
  package func json(of policy: ResolvedPolicy) -> JSONValue {
    .object([
      "name": .string(policy.name),
      "description": policy.description.isEmpty ? nil : .string(policy.description),
      "chain": .array(
        policy.documents.map { ["name": .string($0.name.value), "document": .string($0.source)] }
      ),
      "syscalls": ["allow": list(.allow), "deny": list(.deny)],
      "readOnly": list(.readOnly),
      "devices": list(.devices),
      "scratch": .object([.init("size", firstEntry(.scratch))]),
      "limits": .object(LimitName.allCases.map { .init($0.rawValue, firstEntry(.limit($0))) }),
      "bestEffort": firstEntry(.bestEffort),
      "acceptSingleMechanism": firstEntry(.acceptSingleMechanism),
      "execute": firstEntry(.execute),
      "semaphores": firstEntry(.semaphores),
      "content": firstEntry(.content),
    ])
  }

  /// Returns the entries under a key.
  private func list(_ key: PolicyEntry.Key) -> JSONValue { .array(self[key].map(\.json)) }

  /// Returns the only entry under a key.
  private func firstEntry(_ key: PolicyEntry.Key) -> JSONValue { self[key].first?.json ?? .null }
}

extension PolicyEntry {
  /// The entry as JSON.
  fileprivate var json: JSONValue {
    .object([
      "value": value.json,
      "origin": origin.map { .string($0.description) },
      "groups": groups.isEmpty ? nil : .array(groups.map { .string($0) }),
      "eclipses": shadowed.isEmpty ? nil : .array(shadowed.map(\.json)),
    ])
  }
}

extension PolicyEntry.Shadowed {
  /// The shadowed entry as JSON.
  fileprivate var json: JSONValue {
    .object([
      "value": value.json,
      "origin": .string(origin.description),
      "groups": groups.isEmpty ? nil : .array(groups.map { .string($0) }),
      "reason": .string(reason.rawValue),
    ])
  }
}

extension PolicyEntry.Value {
  /// The value as in a policy document.
  fileprivate var json: JSONValue {
    switch self {
    case .rule(let rule): rule.flattened
    case .call(let name), .device(let name): .string(name)
    case .path(let path): path.flattened
    case .quantity(let number): .integer(Int64(number))
    case .layers(let layers): .array(layers.map(\.rawValue).sorted().map { .string($0) })
    case .accesses(let accesses): .array(accesses.map(\.rawValue).sorted().map { .string($0) })
    case .execute(let permission): .string(permission.rawValue)
    case .semaphores(let permission): .string(permission.rawValue)
    case .content(let form): .string(form.rawValue)
    }
  }
}
