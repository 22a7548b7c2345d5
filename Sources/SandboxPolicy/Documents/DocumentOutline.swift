// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The places of a document's values, with the key path of each: for whoever says something about an entry of a policy.
package struct DocumentOutline: Sendable, Hashable {
  /// A value of a document.
  package struct Entry: Sendable, Hashable {
    /// Its key, for example `syscalls.allow[3]`; empty for the document as a whole.
    package var keyPath: String
    /// What was written, if the value is a text.
    package var word: String?
  }

  /// The document as it was read; nil: there is none.
  private let root: JSONNode?

  /// No values.
  package init() { root = nil }

  /// The values of a document. They are looked for when somebody asks: most documents have nothing to be said about.
  package init(_ root: JSONNode) { self.root = root }

  /// The value that begins at a place.
  package subscript(position: TextPosition) -> Entry? {
    first { node, _ in node.position == position }?.entry
  }

  /// Where the value of a key begins; nil if the document has no such key.
  package func position(of keyPath: String) -> TextPosition? { first { $1 == keyPath }?.position }

  /// The first value of which something holds.
  private func first(_ isMeant: (JSONNode, String) -> Bool) -> (position: TextPosition, entry: Entry)? {
    root.flatMap { Self.first(in: $0, "", isMeant) }
  }

  /// Looks at a value and at all that is in it; the reader has bounded the depth. No two values begin at one place.
  private static func first(
    in node: JSONNode,
    _ keyPath: String,
    _ isMeant: (JSONNode, String) -> Bool
  ) -> (position: TextPosition, entry: Entry)? {
    if isMeant(node, keyPath) {
      return (node.position, Entry(keyPath: keyPath, word: node.word))
    }
    for (inside, path) in node.parts(keyPath) {
      if let found = first(in: inside, path, isMeant) { return found }
    }
    return nil
  }
}

extension JSONNode {
  /// What was written, if the value is a text.
  fileprivate var word: String? {
    if case .string(let text) = kind { text } else { nil }
  }

  /// The values in this one, with the key path of each.
  fileprivate func parts(_ keyPath: String) -> [(JSONNode, String)] {
    switch kind {
    case .array(let elements): elements.enumerated().map { ($1, "\(keyPath)[\($0)]") }
    case .object(let members):
      members.map { ($0.value, keyPath.isEmpty ? $0.name : "\(keyPath).\($0.name)") }
    case .null, .bool, .integer, .number, .string: []
    }
  }
}
