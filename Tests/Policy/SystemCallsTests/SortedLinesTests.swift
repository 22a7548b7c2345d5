// SPDX-License-Identifier: Apache-2.0

import SystemCalls
import Testing

@Suite struct SortedLinesTests {
  private static let text: StaticString = "@a one two\n@ab three\nb\nlast 0x1"

  @Test(
    arguments: [
      ("@a", ["one", "two"]), ("b", []), ("@ab", ["three"]), ("last", ["0x1"]),
      // A partial name, an extended name, a value of an entry, and an unknown name.
      ("@", nil), ("@abc", nil), ("one", nil), ("@a one", nil), ("@a ", nil), ("b\n", nil), ("", nil),
      ("x", nil),
    ] as [(String, [String]?)]
  )
  func `finds an entry only by its full name`(name: String, words: [String]?) {
    #expect(SortedLines(Self.text).words(after: name) == words)
  }
}
