// SPDX-License-Identifier: Apache-2.0

import JSONText
import Testing

@Suite struct JSONReaderTests {
  @Test func `parses values and keeps member order and positions`() throws {
    let node = try JSONNode.parse("{\n  \"b\": [1, -2.5e1, \"x\\u00e9\\ud83d\\ude00\\n\"],\n  \"a\": null\n}")
    #expect(node.value == ["b": [1, -25.0, "xé😀\n"], "a": .null])
    #expect(node["a"]?.position == TextPosition(line: 3, column: 8))
  }

  @Test(arguments: [
    ("", "1:1: the text ends inside a value"),
    ("{\"a\":1,}", "1:8: expected a member name in double quotes"),
    ("{\"a\" 1}", "1:6: expected ':'"),
    ("[1 2]", "1:4: expected ',' or ']'"),
    ("[1]\n x", "2:2: there is text after the end of the value"),
    ("{\"a\":1,\n\"a\":2}", "2:1: the member \"a\" occurs twice in the same object"),
    ("01", "1:3: this is not a JSON number, or the number is too large"),
    ("1e999", "1:6: this is not a JSON number, or the number is too large"),
    ("\"\\ud800\"", "1:8: a \\u escape is one half of a surrogate pair without the other half"),
    ("\"\\x\"", "1:2: a backslash must be followed by one of \" \\ / b f n r t u"),
    ("\"\u{1}\"", "1:2: control character 1 in a string; write it as an escape"),
    ("nul", "1:1: expected a value"),
    ("[[[[", "1:4: arrays and objects are nested more than 3 levels deep"),
  ])
  func `reports a syntax error with its position`(text: String, message: String) {
    let error = #expect(throws: JSONSyntaxError.self) {
      try JSONNode.parse(text, limits: JSONLimits(bytes: 100, depth: 3))
    }
    #expect(error?.description == message)
  }

  @Test func `rejects bytes that are not UTF-8`() {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONNode.parse([0x22, 0xFF, 0x22]) }
    #expect(error?.reason == .invalidUTF8)
  }

  @Test func `rejects a text over the byte limit before parsing`() {
    let error = #expect(throws: JSONSyntaxError.self) {
      try JSONNode.parse("[1,2,3]", limits: JSONLimits(bytes: 3, depth: 3))
    }
    #expect(error?.reason == .tooLarge(limit: 3))
  }

  @Test func `parses written JSON to the same value`() throws {
    let value: JSONValue = [
      "text": "\u{0}\u{7f}\"\\/\t", "list": [1, 2.5, true, .null, [], [:]], "max": .integer(.max),
    ]
    #expect(try JSONNode.parse(value.text()).value == value)
    #expect(try JSONNode.parse(value.text(.indented)).value == value)
    #expect(value["list"]?.elements?[3].isNull == true)
  }

  @Test(arguments: [
    ("", ""), ("é😀", "é😀"), ("\n", "\\n"), ("\"é", "\\\"é"), ("é\u{7f}", "é\\u007f"),
    ("a\u{1}b\rc", "a\\u0001b\\rc"), ("\\\\😀\\", "\\\\\\\\😀\\\\"),
  ])
  func `escapes strings only where required and parses them unchanged`(_ text: String, _ written: String)
    throws
  {
    #expect(JSONValue.string(text).text() == "\"\(written)\"")
    #expect(JSONValue.array([.string(text), "b"]).text() == "[\"\(written)\",\"b\"]")
    #expect(try JSONNode.parse("\"\(written)\"").value == .string(text))
  }

  @Test(arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80]] as [[UInt8]], [true, false])
  func `reports invalid UTF-8 at the end of the string that contains it`(_ bytes: [UInt8], _ escape: Bool) {
    let before: [UInt8] = escape ? Array("\\n".utf8) : []
    let error = #expect(throws: JSONSyntaxError.self) {
      try JSONNode.parse([0x5B, 0x22] + before + bytes + [0x22, 0x5D])
    }
    #expect(error?.reason == .invalidUTF8)
    #expect(error?.position == TextPosition(line: 1, column: 3 + before.count + bytes.count))
  }
}
