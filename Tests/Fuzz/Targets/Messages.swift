// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// Checks that a decoded message of an extension survives a round trip.
func checkExtensionMessage(_ input: [UInt8]) throws(Contradiction) {
  guard
    let message = try read(input, { (line) throws(ProtocolViolation) in try ExtensionMessage(line: line) })
  else { return }
  let line = try content(of: message.line)
  let again = try requireSuccess("a message that was written is not understood") {
    () throws(ProtocolViolation) in
    try ExtensionMessage(line: line)
  }
  try require(again == message, "a message that was written says something else")
}

/// Checks that a decoded message of the host survives a round trip.
func checkHostMessage(_ input: [UInt8]) throws(Contradiction) {
  guard let message = try read(input, { (line) throws(ProtocolViolation) in try HostMessage(line: line) })
  else { return }
  let line = try content(of: message.line)
  let again = try requireSuccess("a message that was written is not understood") {
    () throws(ProtocolViolation) in
    try HostMessage(line: line)
  }
  try require(again == message, "a message that was written says something else")
}

/// Decodes a message, and checks that the reply to a violation can be decoded. Returns `nil` after a
/// violation.
private func read<Message>(
  _ input: [UInt8],
  _ read: ([UInt8]) throws(ProtocolViolation) -> Message
) throws(Contradiction) -> Message? {
  do { return try read(input) } catch {
    try require(!"\(error)".isEmpty, "a violation without words")
    let reply = try content(of: HostMessage.reply(error.reply).line)
    _ = try requireSuccess("the answer to a violation is none") { () throws(ProtocolViolation) in
      try HostMessage(line: reply)
    }
    return nil
  }
}

/// Returns a line without its newline, and checks that it has exactly one at its end.
private func content(of line: [UInt8]) throws(Contradiction) -> [UInt8] {
  try require(line.last == UInt8(ascii: "\n"), "a line has no end")
  let content = Array(line.dropLast())
  try require(!content.contains(UInt8(ascii: "\n")), "a message is two lines")
  return content
}
