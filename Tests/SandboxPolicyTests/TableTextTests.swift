// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SandboxPolicy

@Suite struct TableTextTests {
  private static let text = "@a one two\nb\n\n@ab three\nlast 0x1"

  @Test(
    arguments: [
      ("@a", ["one", "two"]), ("b", []), ("@ab", ["three"]), ("last", ["0x1"]),
      // A part of a name, more than a name, a word of an entry, and what is nowhere.
      ("@", nil), ("@abc", nil), ("one", nil), ("@a one", nil), ("@a ", nil), ("b\n", nil), ("", []),
      ("x", nil),
    ] as [(String, [String]?)]
  )
  func `an entry is found by its whole name`(name: String, words: [String]?) {
    #expect(TableText.words(after: name, in: Self.text) == words)
  }

  @Test func `each constant is found that the table has, and no other`() {
    #expect(SymbolicConstant.values.count > 100)
    for (name, value) in SymbolicConstant.values {
      #expect(SymbolicConstant.value(of: name) == value)
      #expect(
        SymbolicConstant.value(of: String(name.dropLast()))
          == SymbolicConstant.values[String(name.dropLast())]
      )
    }
    for name in ["", "TCGET", "TCGETS 0x5401", "0x5401"] { #expect(SymbolicConstant.value(of: name) == nil) }
  }

  /// The calls of a group, by the table of all of them.
  private static func calls(_ group: String) -> Set<String> {
    (CallGroup.members[group] ?? []).reduce(into: []) { calls, member in
      calls.formUnion(CallGroup.members[member] == nil ? [member] : Self.calls(member))
    }
  }

  @Test(arguments: CallGroup.members.keys.sorted())
  func `a group that is found alone has the calls that it has among all`(group: String) throws {
    let found = try #require(CallGroup.calls(of: group))
    #expect(Set(found) == Self.calls(group))
    #expect(CallGroup.calls(of: "\(group) read") == nil)
  }
}
