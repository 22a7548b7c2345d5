// SPDX-License-Identifier: Apache-2.0

// The compiler plug-in of the macro `Preview`, which expands to nothing: there is no program that shows previews. The compiler
// sends JSON messages on standard input, each after its length in 8 bytes, and reads the replies from standard output. The
// plug-in answers without swift-syntax, whose build would take minutes.

import Glibc

/// Reads `count` bytes of standard input, or returns `nil` at its end.
func read(_ count: Int) -> [UInt8]? {
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: count)
  while bytes.count < count {
    let received = Glibc.read(STDIN_FILENO, &buffer, count - bytes.count)
    if received <= 0 { return nil }
    bytes += buffer[..<received]
  }
  return bytes
}

/// Writes a message to standard output, after its length.
func send(_ message: String) -> Bool {
  let length = withUnsafeBytes(of: UInt64(message.utf8.count).littleEndian) { Array($0) }
  var rest = ArraySlice(length + message.utf8)
  while !rest.isEmpty {
    let sent = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    if sent <= 0 { return false }
    rest = rest.dropFirst(sent)
  }
  return true
}

while let header = read(8), let message = read(header.reversed().reduce(0) { $0 << 8 | Int($1) }) {
  // A message is an object with one member, whose name is the kind of the message.
  let isCapabilityRequest = message.starts(with: #"{"getCapability""#.utf8)
  let reply =
    isCapabilityRequest
    ? #"{"getCapabilityResult":{"capability":{"protocolVersion":7}}}"#
    : #"{"expandMacroResult":{"expandedSource":"","diagnostics":[]}}"#
  guard send(reply) else { break }
}
