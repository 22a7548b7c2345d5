// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// A value that was read can be written in both layouts, is read again as what it was, and then written the same.
func checkJSON(_ input: [UInt8]) throws(Contradiction) {
  let value: JSONValue
  do { value = try JSONNode.parse(input).value } catch {
    try require(!"\(error)".isEmpty, "an error says nothing")
    try require(error.position.line >= 1 && error.position.column >= 1, "an error is nowhere: \(error)")
    return
  }
  try checkRewriting(value)
}

/// Writes a value and reads it again.
func checkRewriting(_ value: JSONValue) throws(Contradiction) {
  let limits = JSONLimits(bytes: .max, depth: JSONLimits.document.depth)
  for layout in [JSONLayout.compact, .indented] {
    let text = value.bytes(layout)
    let again = try unfailing("what was written is no JSON") { () throws(JSONSyntaxError) in
      try JSONNode.parse(text, limits: limits).value
    }
    // Not only by ==, for which two spellings of a letter are one text.
    try require(again == value && again.bytes(layout) == text, "what was written is read as something else")
  }
}
