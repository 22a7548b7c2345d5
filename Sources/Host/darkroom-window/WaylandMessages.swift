// SPDX-License-Identifier: Apache-2.0

/// A request to a compositor, with its object, opcode and arguments.
///
/// The wire format is the object ID, a word with size and opcode, and the arguments, as 32-bit words in
/// native byte order. The protocol documents define the opcodes, which never change.
struct WaylandRequest {
  /// The bytes without the word with size and opcode.
  private var bytes: [UInt8] = []
  private let number: UInt16

  /// The maximum length of a text in bytes. A message can have 4096 bytes.
  private static let longestText = 1024

  /// Creates a request without arguments.
  init(_ object: UInt32, _ number: UInt16) {
    self.number = number
    append(object)
  }

  private mutating func append(_ word: UInt32) { withUnsafeBytes(of: word) { bytes += $0 } }

  /// Returns a copy with additional unsigned integers or object IDs.
  func with(_ words: UInt32...) -> WaylandRequest {
    var request = self
    for word in words { request.append(word) }
    return request
  }

  /// Returns a copy with additional signed integers.
  func with(_ words: Int...) -> WaylandRequest {
    var request = self
    for word in words { request.append(UInt32(bitPattern: Int32(clamping: word))) }
    return request
  }

  /// Returns a copy with an additional string, which is truncated if it is too long.
  func with(_ text: String) -> WaylandRequest {
    var request = self
    var short = text
    while short.utf8.count > Self.longestText { short.removeLast() }
    let characters = short.utf8.filter { $0 != 0 }
    request.append(UInt32(characters.count + 1))
    request.bytes += characters
    repeat { request.bytes.append(0) } while request.bytes.count % 4 != 0
    return request
  }

  /// The encoded request.
  var packet: [UInt8] {
    let size = UInt32(bytes.count + 4) << 16 | UInt32(number)
    return Array(bytes[..<4]) + withUnsafeBytes(of: size) { Array($0) } + bytes[4...]
  }
}

/// An event of a compositor's object. It refers to received bytes and is valid until the next event is taken.
struct WaylandEvent {
  /// The ID of the object.
  let object: UInt32
  /// The opcode of the event.
  let number: UInt16
  private let bytes: ReceiveBuffer
  /// The offset of the next argument.
  private var offset: Int
  /// The end of the last argument.
  private let end: Int

  /// The size of the header, in bytes.
  private static let headBytes = 8

  /// Returns the first event in the received bytes, or `nil` if it is incomplete.
  static func take(from bytes: ReceiveBuffer) throws(WaylandError) -> WaylandEvent? {
    bytes.finish()
    guard let object = bytes.word(at: 0), let word = bytes.word(at: 4) else { return nil }
    let size = Int(word >> 16)
    guard size >= headBytes, size % 4 == 0 else { throw .protocolViolation }
    guard bytes.has(size) else { return nil }
    bytes.take(size)
    let number = UInt16(truncatingIfNeeded: word)
    return WaylandEvent(object: object, number: number, bytes: bytes, offset: headBytes, end: size)
  }

  /// Returns the next argument, an unsigned integer or object ID.
  mutating func uint() throws(WaylandError) -> UInt32 {
    guard offset + 4 <= end, let word = bytes.word(at: offset) else { throw .protocolViolation }
    offset += 4
    return word
  }

  /// Returns the next argument, a signed integer.
  mutating func int() throws(WaylandError) -> Int { Int(Int32(bitPattern: try uint())) }

  /// Returns the next argument, an array of unsigned integers.
  mutating func uints() throws(WaylandError) -> [UInt32] {
    let count = Int(try uint()) / 4
    guard offset + 4 * count <= end else { throw .protocolViolation }
    var numbers: [UInt32] = []
    for _ in 0..<count { numbers.append(try uint()) }
    return numbers
  }

  /// Returns the next argument, a string.
  mutating func text() throws(WaylandError) -> String {
    let length = Int(try uint())
    let padded = (length + 3) / 4 * 4
    guard offset + padded <= end else { throw .protocolViolation }
    let text = bytes.text(at: offset, count: max(0, length - 1))
    offset += padded
    return text
  }
}

/// A reason why there is no window.
enum WaylandError: Error {
  /// The socket cannot be connected, for this reason.
  case unreachable(String)
  /// The compositor closed the connection.
  case disconnected
  /// The compositor did not reply in time.
  case timedOut
  /// The compositor lacks this interface.
  case missing(String)
  /// The compositor reported an error.
  case refused(String)
  /// The compositor sent an invalid message.
  case protocolViolation
  /// The memory for pixels cannot be allocated, for this reason.
  case memory(String)

  /// The reason as text for the user.
  var reason: String {
    switch self {
    case .unreachable(let reason): "the compositor cannot be reached (\(reason))"
    case .disconnected: "the compositor closed the connection"
    case .timedOut: "the compositor does not respond"
    case .missing(let name): "the compositor does not support \(name)"
    case .refused(let reason): "the compositor reported: \(reason)"
    case .protocolViolation: "the peer of the socket is not a compositor"
    case .memory(let reason): "the memory for the image cannot be allocated (\(reason))"
    }
  }
}
