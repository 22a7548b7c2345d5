// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// A reader of the values of a policy document. It collects mistakes instead of stopping at the first one.
struct PolicyReader {
  /// The document's name in messages.
  let source: String
  /// The mistakes found so far.
  private(set) var diagnostics: [PolicyDiagnostic] = []

  /// Creates a reader.
  init(source: String) { self.source = source }

  /// Returns the position of a node.
  func origin(_ node: JSONNode) -> PolicyOrigin { PolicyOrigin(source: source, position: node.position) }

  /// Reports a mistake at a position.
  mutating func report(_ mistake: PolicyMistake, at position: TextPosition, _ keyPath: String) {
    let origin = PolicyOrigin(source: source, position: position)
    diagnostics.append(PolicyDiagnostic(origin: origin, keyPath: keyPath, mistake: mistake))
  }

  /// Reports a mistake in a node.
  mutating func report(_ mistake: PolicyMistake, in node: JSONNode, _ keyPath: String) {
    report(mistake, at: node.position, keyPath)
  }

  /// Reports that a node has the wrong type.
  mutating func reportWrongKind(_ expected: PolicyMistake.ValueKind, _ node: JSONNode, _ keyPath: String) {
    report(.wrongKind(expected: expected, found: node.kindName), in: node, keyPath)
  }

  /// Returns the members of an object by key, and reports unknown keys.
  mutating func members<Key: RawRepresentable<String> & CaseIterable>(
    _ node: JSONNode,
    _ keyPath: String,
    as keys: Key.Type
  ) -> PolicyMembers<Key>? {
    guard case .object(let members) = node.kind else {
      reportWrongKind(.object, node, keyPath)
      return nil
    }
    var found = PolicyMembers<Key>()
    for member in members {
      if let key = Key(rawValue: member.name) {
        found.append(key, member.value)
      } else {
        let known = Key.allCases.map(\.rawValue)
        let suggestion = SpellingSuggestion.nearest(to: member.name, among: known)
        let mistake = PolicyMistake.unknownKey(member.name, suggestion: suggestion, known: known)
        report(mistake, at: member.position, keyPath)
      }
    }
    return found
  }

  /// Returns the elements of an array, each with its key path.
  mutating func elements(_ node: JSONNode?, _ keyPath: String) -> [(node: JSONNode, keyPath: String)] {
    guard let node else { return [] }
    guard case .array(let elements) = node.kind else {
      reportWrongKind(.array, node, keyPath)
      return []
    }
    return elements.enumerated().map { ($1, "\(keyPath)[\($0)]") }
  }

  /// Returns a string that is not empty.
  mutating func text(
    _ node: JSONNode,
    _ keyPath: String,
    expected: PolicyMistake.ValueKind = .string
  ) -> String? {
    guard case .string(let text) = node.kind else {
      reportWrongKind(expected, node, keyPath)
      return nil
    }
    guard !text.isEmpty else {
      report(.emptyText, in: node, keyPath)
      return nil
    }
    return text
  }

  /// Returns the name of a policy.
  mutating func name(_ node: JSONNode, _ keyPath: String) -> Sourced<String>? {
    guard let text = text(node, keyPath) else { return nil }
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let isName = text.utf8.allSatisfy { letters ~= $0 || digits ~= $0 || $0 == UInt8(ascii: "-") }
    guard isName, let first = text.utf8.first, letters ~= first, text.utf8.count <= 64 else {
      report(.invalidName(text), in: node, keyPath)
      return nil
    }
    return Sourced(text, origin(node))
  }

  /// Returns the strings of an array, and reports duplicates and the mistakes that `validate` returns.
  mutating func uniqueStrings(
    _ node: JSONNode?,
    _ keyPath: String,
    _ validate: (String) -> PolicyMistake?
  ) -> [Sourced<String>] {
    var words: [Sourced<String>] = []
    for (node, keyPath) in elements(node, keyPath) {
      guard let word = text(node, keyPath) else { continue }
      let isRepeated = words.contains { $0.value == word }
      if let mistake = validate(word) ?? (isRepeated ? .repeated(word) : nil) {
        report(mistake, in: node, keyPath)
      } else {
        words.append(Sourced(word, origin(node)))
      }
    }
    return words
  }
}

/// The members of an object of a policy document, by key.
///
/// An array is used instead of a dictionary: an object has at most a dozen members, and the first dictionary
/// with a new key type takes a process longer than reading a whole policy.
struct PolicyMembers<Key: RawRepresentable<String>> {
  private var members: [(name: String, node: JSONNode)] = []

  /// Creates an empty collection.
  init() {}

  /// Returns the value of a key, or `nil` if the object does not have it.
  subscript(key: Key) -> JSONNode? { members.last { $0.name == key.rawValue }?.node }

  /// Adds a member.
  mutating func append(_ key: Key, _ node: JSONNode) { members.append((key.rawValue, node)) }
}
