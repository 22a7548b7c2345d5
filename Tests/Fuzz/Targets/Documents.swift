// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import JSONText
internal import SessionStore

/// Checks that a parsed record survives a round trip through its written form, and that its summary matches
/// it.
func checkRecord(_ input: [UInt8]) throws(Contradiction) {
  guard let value = try? JSONNode.parse(input, limits: .record).value else { return }
  let record: SessionRecord
  do { record = try SessionRecord(json: value) } catch {
    try require(!"\(error)".isEmpty, "a fault without words")
    return
  }
  let text = record.json.bytes(.indented)
  let again = try requireSuccess("a record that was written cannot be read: \(record.json.text())") {
    () throws in
    try SessionRecord(json: try JSONNode.parse(text, limits: .record).value)
  }
  try require(
    again == record && again.json.bytes(.indented) == text,
    "a record that was written says otherwise"
  )
  try require(!"\(record.outcome)".isEmpty, "an outcome without words")
  if let summary = RecordSummary(beginning: text) {
    try require(summary == RecordSummary(record), "the summary of a record says something else")
  } else {
    throw Contradiction("the beginning of a record that was written says nothing")
  }
}

/// Checks that a parsed journal survives a round trip through its written form.
func checkJournal(_ input: [UInt8]) throws(Contradiction) {
  let written: [UInt8]
  do { written = try DocumentRoundTrip.journal(input) } catch {
    try require(!"\(error)".isEmpty, "a fault without words")
    return
  }
  let again = try requireSuccess("a journal that was written cannot be read") { () throws(DocumentFault) in
    try DocumentRoundTrip.journal(written)
  }
  try require(again == written, "a journal that was written says otherwise")
}

/// Checks that a parsed log entry survives a round trip, and that its summary differs only in the record.
func checkLogLine(_ input: [UInt8]) throws(Contradiction) {
  let written: [UInt8]
  do { written = try DocumentRoundTrip.logLine(input, .whole) } catch {
    try require(!"\(error)".isEmpty, "a fault without words")
    return
  }
  let again = try requireSuccess("a line that was written cannot be read") { () throws(DocumentFault) in
    try DocumentRoundTrip.logLine(written, .whole)
  }
  try require(again == written, "a line that was written says otherwise")
  let summary = try requireSuccess("a line that was written has no summary") { () throws(DocumentFault) in
    try DocumentRoundTrip.logLine(written, .summary)
  }
  let whole = try? JSONNode.parse(written, limits: .record).value.members?.filter { $0.name != "record" }
  let short = try? JSONNode.parse(summary, limits: .record).value.members
  try require(whole == short, "the summary of a line says something else")
}

/// Checks that a parsed delivery survives a round trip, and that its file name is one path component.
func checkDelivery(_ input: [UInt8]) throws(Contradiction) {
  guard let value = try? JSONNode.parse(input).value else { return }
  let delivery: AppDelivery
  do { delivery = try AppDelivery(json: value) } catch {
    try require(!"\(error)".isEmpty, "a violation without words")
    return
  }
  let again = try requireSuccess("a delivery that was written cannot be read") { () throws in
    try AppDelivery(json: try JSONNode.parse(delivery.json.bytes(.indented)).value)
  }
  try require(again == delivery, "a delivery that was written says something else")
  let name = delivery.fileName.utf8
  try require(
    name.count == 57 && !name.contains(UInt8(ascii: "/")),
    "the file's name is \(delivery.fileName)"
  )
}

/// Checks that a storable context survives a round trip unchanged.
func checkContext(_ input: [UInt8]) throws(Contradiction) {
  guard let value = try? JSONNode.parse(input, limits: JSONLimits(bytes: 1 << 20, depth: 32)).value else {
    return
  }
  let stored = value.bytes(.compact)
  guard stored.count <= AppContextStore.limit else { return }
  let again = try requireSuccess("a context that was stored cannot be read") { () throws(JSONSyntaxError) in
    try JSONNode.parse(stored, limits: JSONLimits(bytes: AppContextStore.limit, depth: 32)).value
  }
  try require(
    again == value && again.bytes(.compact) == stored,
    "a context that was stored says something else"
  )
}
