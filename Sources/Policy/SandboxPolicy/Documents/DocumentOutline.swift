// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A document's values by their places, with the key path of each: for whoever says something about an entry of a policy.
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
    guard var node = root else { return nil }
    var keyPath = ""
    while node.position != position {
      guard let inside = node.part(around: position, keyPath) else { return nil }
      (node, keyPath) = inside
    }
    return Entry(keyPath: keyPath, word: node.word)
  }
}

extension JSONNode {
  /// What was written, if the value is a text.
  fileprivate var word: String? {
    if case .string(let text) = kind { text } else { nil }
  }

  /// How many values are in this one.
  fileprivate var partCount: Int {
    switch kind {
    case .array(let elements): elements.count
    case .object(let members): members.count
    case .null, .bool, .integer, .number, .string: 0
    }
  }

  /// A value in this one, with its key path.
  fileprivate func part(_ index: Int, _ keyPath: String) -> (node: JSONNode, keyPath: String) {
    switch kind {
    case .array(let elements): return (elements[index], "\(keyPath)[\(index)]")
    case .object(let members):
      let member = members[index]
      return (member.value, keyPath.isEmpty ? member.name : "\(keyPath).\(member.name)")
    case .null, .bool, .integer, .number, .string: return (self, keyPath)
    }
  }

  /// The value in this one that begins at a place or has it inside: the last that begins no later. They stand in their
  /// order, and a document can have ten thousands of them, each of which somebody may have something to say about.
  fileprivate func part(around position: TextPosition, _ keyPath: String) -> (JSONNode, String)? {
    var (first, end) = (0, partCount)
    while first < end {
      let middle = first + (end - first) / 2
      if begins(middle, after: position) { end = middle } else { first = middle + 1 }
    }
    return first > 0 ? part(first - 1, keyPath) : nil
  }

  private func begins(_ index: Int, after position: TextPosition) -> Bool {
    let begin: TextPosition
    switch kind {
    case .array(let elements): begin = elements[index].position
    case .object(let members): begin = members[index].value.position
    case .null, .bool, .integer, .number, .string: return true
    }
    return (begin.line, begin.column) > (position.line, position.column)
  }
}
