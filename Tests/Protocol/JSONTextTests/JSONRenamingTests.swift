// SPDX-License-Identifier: Apache-2.0

import JSONText
import Testing

@Suite struct JSONRenamingTests {
  private static let each = JSONRenaming.each

  @Test func `renames members and values only at the path`() {
    let document: JSONValue = [
      "old": "old", "list": [["old": 1, "kept": "old"], "old", ["old": 2]], "other": ["old": 3],
    ]
    let renamings: [JSONRenaming] = [
      .value(path: ["list", Self.each], old: "old", new: "new"),
      .member(path: ["list", Self.each], old: "old", new: "new"),
    ]
    #expect(
      document.updated(by: renamings) == [
        "old": "old", "list": [["new": 1, "kept": "old"], "new", ["new": 2]], "other": ["old": 3],
      ]
    )
  }

  @Test func `leaves out a member that has the new name only if the old name exists`() {
    let renaming = JSONRenaming.member(path: [], old: "old", new: "new")
    #expect(renaming.updated(["new": 1, "old": 2]) == ["new": 2])
    #expect(renaming.updated(["new": 1]) == ["new": 1])
  }

  @Test(arguments: ["text", 1, [], .null] as [JSONValue])
  func `does not change a document of another shape`(_ document: JSONValue) {
    #expect(JSONRenaming.member(path: ["a"], old: "old", new: "new").updated(document) == document)
    #expect(JSONRenaming.value(path: ["a", Self.each], old: "old", new: "new").updated(document) == document)
  }
}
