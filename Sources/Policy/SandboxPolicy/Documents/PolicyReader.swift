// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Reads values of a policy document and notes every mistake on the way.
struct PolicyReader {
  /// What the document is called in messages.
  let source: String
  /// The mistakes so far.
  private(set) var diagnostics: [PolicyDiagnostic] = []

  /// Nothing read yet.
  init(source: String) { self.source = source }

  /// Where a node stands.
  func origin(_ node: JSONNode) -> PolicyOrigin { PolicyOrigin(source: source, position: node.position) }

  /// Notes a mistake.
  mutating func report(_ mistake: PolicyMistake, at position: TextPosition, _ keyPath: String) {
    let origin = PolicyOrigin(source: source, position: position)
    diagnostics.append(PolicyDiagnostic(origin: origin, keyPath: keyPath, mistake: mistake))
  }

  /// Notes a mistake in a node.
  mutating func report(_ mistake: PolicyMistake, in node: JSONNode, _ keyPath: String) {
    report(mistake, at: node.position, keyPath)
  }

  /// Notes that a node is of the wrong kind.
  mutating func reportKind(_ expected: PolicyMistake.ValueKind, _ node: JSONNode, _ keyPath: String) {
    report(.wrongKind(expected: expected, found: node.kindName), in: node, keyPath)
  }

  /// The members of an object by their keys; unknown ones are noted.
  mutating func members<Key: RawRepresentable<String> & CaseIterable>(
    _ node: JSONNode,
    _ keyPath: String,
    as keys: Key.Type
  ) -> PolicyMembers<Key>? {
    guard case .object(let members) = node.kind else {
      reportKind(.object, node, keyPath)
      return nil
    }
    var found = PolicyMembers<Key>()
    for member in members {
      if let key = Key(rawValue: member.name) {
        found.append(key, member.value)
      } else {
        let known = Key.allCases.map(\.rawValue)
        let suggestion = Suggestion.nearest(to: member.name, among: known)
        let mistake = PolicyMistake.unknownKey(member.name, suggestion: suggestion, known: known)
        report(mistake, at: member.position, keyPath)
      }
    }
    return found
  }

  /// The elements of an array with the key path of each.
  mutating func elements(_ node: JSONNode?, _ keyPath: String) -> [(node: JSONNode, keyPath: String)] {
    guard let node else { return [] }
    guard case .array(let elements) = node.kind else {
      reportKind(.array, node, keyPath)
      return []
    }
    return elements.enumerated().map { ($1, "\(keyPath)[\($0)]") }
  }

  /// A string that is not empty.
  mutating func text(
    _ node: JSONNode,
    _ keyPath: String,
    expected: PolicyMistake.ValueKind = .string
  ) -> String? {
    guard case .string(let text) = node.kind else {
      reportKind(expected, node, keyPath)
      return nil
    }
    guard !text.isEmpty else {
      report(.emptyText, in: node, keyPath)
      return nil
    }
    return text
  }

  /// A policy's name.
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

  /// Strings of which none stands twice; `judge` says what is wrong with one.
  mutating func words(
    _ node: JSONNode?,
    _ keyPath: String,
    _ judge: (String) -> PolicyMistake?
  ) -> [Sourced<String>] {
    var words: [Sourced<String>] = []
    for (node, keyPath) in elements(node, keyPath) {
      guard let word = text(node, keyPath) else { continue }
      let isRepeated = words.contains { $0.value == word }
      if let mistake = judge(word) ?? (isRepeated ? .repeated(word) : nil) {
        report(mistake, in: node, keyPath)
      } else {
        words.append(Sourced(word, origin(node)))
      }
    }
    return words
  }
}
