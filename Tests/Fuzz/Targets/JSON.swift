// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Checks that a parsed value survives a round trip in both layouts.
func checkJSON(_ input: [UInt8]) throws(Contradiction) {
  let value: JSONValue
  do { value = try JSONNode.parse(input).value } catch {
    try require(!"\(error)".isEmpty, "an error says nothing")
    try require(error.position.line >= 1 && error.position.column >= 1, "an error is nowhere: \(error)")
    return
  }
  try checkRewriting(value)
}

/// Checks that a value is parsed as written.
func checkRewriting(_ value: JSONValue) throws(Contradiction) {
  let limits = JSONLimits(bytes: .max, depth: JSONLimits.document.depth)
  for layout in [JSONLayout.compact, .indented] {
    let text = value.bytes(layout)
    let again = try requireSuccess("what was written is no JSON") { () throws(JSONSyntaxError) in
      try JSONNode.parse(text, limits: limits).value
    }
    // The bytes are compared as well, because == treats canonically equivalent strings as equal.
    try require(again == value && again.bytes(layout) == text, "what was written is read as something else")
  }
}
