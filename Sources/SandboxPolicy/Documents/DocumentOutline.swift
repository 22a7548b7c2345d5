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

  /// The values by where they begin; no two begin at one place.
  private var entries: [TextPosition: Entry] = [:]

  /// No values.
  package init() {}

  /// The values of a document.
  package init(_ root: JSONNode) { add(root, "") }

  /// The value that begins at a place.
  package subscript(position: TextPosition) -> Entry? { entries[position] }

  /// Where the value of a key begins; nil if the document has no such key.
  package func position(of keyPath: String) -> TextPosition? {
    entries.first { $0.value.keyPath == keyPath }?.key
  }

  /// Adds a value and all that is in it; the reader has bounded the depth.
  private mutating func add(_ node: JSONNode, _ keyPath: String) {
    var word: String?
    switch node.kind {
    case .string(let text): word = text
    case .array(let elements):
      for (index, element) in elements.enumerated() { add(element, "\(keyPath)[\(index)]") }
    case .object(let members):
      for member in members {
        add(member.value, keyPath.isEmpty ? member.name : "\(keyPath).\(member.name)")
      }
    case .null, .bool, .integer, .number: break
    }
    entries[node.position] = Entry(keyPath: keyPath, word: word)
  }
}
