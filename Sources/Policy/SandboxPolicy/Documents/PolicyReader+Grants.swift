// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension PolicyReader {
  /// Returns the paths of `readOnly`.
  mutating func readOnly(_ node: JSONNode?, _ keyPath: String) -> [ReadOnlyPath] {
    var paths: [ReadOnlyPath] = []
    for (node, keyPath) in elements(node, keyPath) {
      guard let grant = path(node, keyPath) else { continue }
      if paths.contains(where: { $0.path == grant.path }) {
        report(.repeated(grant.path), in: node, keyPath)
      } else {
        paths.append(grant)
      }
    }
    return paths
  }

  /// Returns the devices of `devices`.
  mutating func devices(_ node: JSONNode?, _ keyPath: String) -> [Sourced<String>] {
    uniqueStrings(node, keyPath) { GrantablePaths.devices.contains($0) ? nil : .device($0) }
  }

  /// Returns the layers of `bestEffort`.
  mutating func bestEffort(_ node: JSONNode?, _ keyPath: String) -> Sourced<Set<Layer>>? {
    guard let node else { return nil }
    let names = uniqueStrings(node, keyPath) { name in
      guard let layer = Layer(rawValue: name) else {
        let known = Layer.allCases.map(\.rawValue)
        return .unknownLayer(name, suggestion: SpellingSuggestion.nearest(to: name, among: known))
      }
      return Layer.optional.contains(layer) ? nil : .requiredLayer(layer)
    }
    let layers = Set(names.compactMap { Layer(rawValue: $0.value) })
    if layers.isSuperset(of: Layer.exclusive) { report(.noFileIsolation, in: node, keyPath) }
    return Sourced(layers, origin(node))
  }

  /// Returns the access of `acceptSingleMechanism`.
  mutating func acceptSingleMechanism(_ node: JSONNode?, _ keyPath: String) -> Sourced<Set<DeniedAccess>>? {
    guard let node else { return nil }
    let names = uniqueStrings(node, keyPath) { name in
      DeniedAccess(rawValue: name) == nil
        ? .unknownValue(name, known: DeniedAccess.allCases.map(\.rawValue)) : nil
    }
    return Sourced(Set(names.compactMap { DeniedAccess(rawValue: $0.value) }), origin(node))
  }

  /// Returns the value of a member that is one of an enumeration's raw values.
  mutating func keyword<Word: RawRepresentable<String> & CaseIterable & Sendable & Hashable>(
    _ node: JSONNode?,
    _ keyPath: String
  ) -> Sourced<Word>? {
    guard let node, let text = text(node, keyPath) else { return nil }
    guard let word = Word(rawValue: text) else {
      report(.unknownValue(text, known: Word.allCases.map(\.rawValue)), in: node, keyPath)
      return nil
    }
    return Sourced(word, origin(node))
  }

  /// Returns a path that is written as a string or as an object.
  private mutating func path(_ node: JSONNode, _ keyPath: String) -> ReadOnlyPath? {
    if case .string(let path) = node.kind { return granted(path, .required, node, keyPath) }
    guard case .object = node.kind else {
      reportWrongKind(.path, node, keyPath)
      return nil
    }
    guard let members = members(node, keyPath, as: PolicyKeys.Path.self) else { return nil }
    var presence = ReadOnlyPath.Presence.required
    if let optional = members[.optional] {
      guard case .bool(let isOptional) = optional.kind else {
        reportWrongKind(.bool, optional, "\(keyPath).optional")
        return nil
      }
      presence = isOptional ? .optional : .required
    }
    guard let pathNode = members[.path] else {
      report(.missingKey("path"), in: node, keyPath)
      return nil
    }
    guard let path = text(pathNode, "\(keyPath).path") else { return nil }
    return granted(path, presence, pathNode, "\(keyPath).path")
  }

  /// Returns a path if a session may see it; otherwise, reports the mistake.
  private mutating func granted(
    _ path: String,
    _ presence: ReadOnlyPath.Presence,
    _ node: JSONNode,
    _ keyPath: String
  ) -> ReadOnlyPath? {
    if let refusal = GrantablePaths.refusal(of: path) {
      report(.path(path, refusal), in: node, keyPath)
      return nil
    }
    return ReadOnlyPath(path, presence, origin: origin(node))
  }
}
