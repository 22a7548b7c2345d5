// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The values of a document by position, each with its key path. Messages about entries of a policy use it.
package struct DocumentOutline: Sendable, Hashable {
  /// A value of a document.
  package struct Entry: Sendable, Hashable {
    /// The key path, for example `syscalls.allow[3]`; empty for the document as a whole.
    package var keyPath: String
    /// The value if it is a string, or `nil`.
    package var string: String?
  }

  /// The parsed document, or `nil` if there is none.
  private let root: JSONNode?

  /// Creates an outline without values.
  package init() { root = nil }

  /// Creates the outline of a document. Values are looked up on demand, because most documents have no
  /// findings.
  package init(_ root: JSONNode) { self.root = root }

  /// Returns the value that begins at a position, or `nil` if no value does.
  package subscript(position: TextPosition) -> Entry? {
    guard var node = root else { return nil }
    var keyPath = ""
    while node.position != position {
      guard let inside = node.part(around: position, keyPath) else { return nil }
      (node, keyPath) = inside
    }
    return Entry(keyPath: keyPath, string: node.word)
  }
}

extension JSONNode {
  /// The value if it is a string, or `nil`.
  fileprivate var word: String? {
    if case .string(let text) = kind { text } else { nil }
  }

  /// The number of elements or members.
  fileprivate var partCount: Int {
    switch kind {
    case .array(let elements): elements.count
    case .object(let members): members.count
    case .null, .bool, .integer, .number, .string: 0
    }
  }

  /// Returns an element or member, with its key path.
  fileprivate func part(_ index: Int, _ keyPath: String) -> (node: JSONNode, keyPath: String) {
    switch kind {
    case .array(let elements): return (elements[index], "\(keyPath)[\(index)]")
    case .object(let members):
      let member = members[index]
      return (member.value, keyPath.isEmpty ? member.name : "\(keyPath).\(member.name)")
    case .null, .bool, .integer, .number, .string: return (self, keyPath)
    }
  }

  /// Returns the element or member that begins at or contains a position, or `nil` if there is none.
  ///
  /// It is the last one that begins at or before the position. Binary search is used, because a document can
  /// have tens of thousands of values and each of them can have a finding.
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
