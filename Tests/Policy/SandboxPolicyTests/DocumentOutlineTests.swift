// SPDX-License-Identifier: Apache-2.0

import JSONText
import SandboxPolicy
import Testing

/// Finds the value at a position of a policy document.
@Suite struct DocumentOutlineTests {
  /// Returns all values of a document by position, found by a full traversal.
  private static func values(in node: JSONNode, _ keyPath: String = "") -> [TextPosition: String] {
    var found = [node.position: keyPath]
    switch node.kind {
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        found.merge(values(in: element, "\(keyPath)[\(index)]")) { $1 }
      }
    case .object(let members):
      for member in members {
        let inside = keyPath.isEmpty ? member.name : "\(keyPath).\(member.name)"
        found.merge(values(in: member.value, inside)) { $1 }
      }
    case .null, .bool, .integer, .number, .string: break
    }
    return found
  }

  @Test(arguments: [
    "{}", "[[],{},[[1]]]", #"{"a": [1, {"b": "x", "c": []}, 2],  "d": {"e": {"f": null}}, "g": "y"}"#,
    "{\"a\":\n [\n\n1,\n2],\n\"b\": 3}",
  ])
  func `finds every value at its position and nothing elsewhere`(_ text: String) throws {
    let root = try JSONNode.parse(Array(text.utf8))
    let outline = DocumentOutline(root)
    let values = Self.values(in: root)
    for line in 0...8 {
      for column in 0...80 {
        let position = TextPosition(line: line, column: column)
        #expect(outline[position]?.keyPath == values[position], "\(position)")
      }
    }
  }

  @Test func `reports string values only`() throws {
    let outline = DocumentOutline(try JSONNode.parse(Array(#"["word", 1]"#.utf8)))
    #expect(outline[TextPosition(line: 1, column: 2)]?.string == "word")
    let number = try #require(outline[TextPosition(line: 1, column: 10)])
    #expect(number.keyPath == "[1]")
    #expect(number.string == nil)
    #expect(DocumentOutline()[TextPosition(line: 1, column: 1)] == nil)
  }
}
