// SPDX-License-Identifier: Apache-2.0

import JSONText
import Testing

@Suite struct JSONPartTests {
  @Test(arguments: [JSONLayout.compact, .indented], [0, 1, 5000])
  func `writing piece by piece produces the same bytes as writing at once`(_ layout: JSONLayout, _ count: Int)
  {
    let element = { (index: Int) -> JSONValue in ["path": .string("a\n\(index)"), "list": [1, 2]] }
    let parts = [
      JSONPart("first", ["a": 1]), JSONPart("many", count: count, element), JSONPart("empty", []),
      JSONPart("last", "text"),
    ]
    let whole: JSONValue = [
      "first": ["a": 1], "many": .array((0..<count).map(element)), "empty": [], "last": "text",
    ]
    var pieces: [[UInt8]] = []
    JSONValue.write(parts, layout) { pieces.append($0) }
    #expect(Array(pieces.joined()) == whole.bytes(layout))
    #expect(pieces.allSatisfy { $0.count < 70_000 })
    var empty: [UInt8] = []
    JSONValue.write([], layout) { empty += $0 }
    #expect(empty == JSONValue.object([]).bytes(layout))
  }
}
