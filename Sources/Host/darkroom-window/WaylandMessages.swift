// SPDX-License-Identifier: Apache-2.0

/// A request to a compositor: which object it is for, which of the object's requests it is, and its arguments.
///
/// On the wire that is the object, size and number in one word, and then the arguments, in words of four bytes in the
/// machine's own order. The protocol's document has the numbers, which never change.
struct WaylandRequest {
  /// All but the word with the size.
  private var bytes: [UInt8] = []
  private let number: UInt16

  /// The most bytes of a text: a message has room for 4096 in all.
  private static let longestText = 1024

  /// Begins a request.
  init(_ object: UInt32, _ number: UInt16) {
    self.number = number
    append(object)
  }

  private mutating func append(_ word: UInt32) { withUnsafeBytes(of: word) { bytes += $0 } }

  /// With a number or an object more.
  func with(_ words: UInt32...) -> WaylandRequest {
    var request = self
    for word in words { request.append(word) }
    return request
  }

  /// With numbers more that can be negative.
  func with(_ words: Int...) -> WaylandRequest {
    var request = self
    for word in words { request.append(UInt32(bitPattern: Int32(clamping: word))) }
    return request
  }

  /// With a text more, which is cut where it is too long.
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

  /// The bytes on the wire.
  var packet: [UInt8] {
    let size = UInt32(bytes.count + 4) << 16 | UInt32(number)
    return Array(bytes[..<4]) + withUnsafeBytes(of: size) { Array($0) } + bytes[4...]
  }
}

/// What a compositor says of an object. It is a look at what has arrived: it is over when the next is taken.
struct WaylandEvent {
  /// The object.
  let object: UInt32
  /// Which of the object's events it is.
  let number: UInt16
  private let bytes: ReceivedBytes
  /// Where the next argument is.
  private var offset: Int
  /// Where the last one ends.
  private let end: Int

  /// Bytes of the words before the arguments.
  private static let headBytes = 8

  /// Takes the first event of what has arrived; nil: it is not there whole yet.
  static func take(from bytes: ReceivedBytes) throws(WaylandFault) -> WaylandEvent? {
    bytes.finish()
    guard let object = bytes.word(at: 0), let word = bytes.word(at: 4) else { return nil }
    let size = Int(word >> 16)
    guard size >= headBytes, size % 4 == 0 else { throw .unclear }
    guard bytes.has(size) else { return nil }
    bytes.take(size)
    let number = UInt16(truncatingIfNeeded: word)
    return WaylandEvent(object: object, number: number, bytes: bytes, offset: headBytes, end: size)
  }

  /// The next argument, a number or an object.
  mutating func uint() throws(WaylandFault) -> UInt32 {
    guard offset + 4 <= end, let word = bytes.word(at: offset) else { throw .unclear }
    offset += 4
    return word
  }

  /// The next argument, a number that can be negative.
  mutating func int() throws(WaylandFault) -> Int { Int(Int32(bitPattern: try uint())) }

  /// The next argument, a text.
  mutating func text() throws(WaylandFault) -> String {
    let length = Int(try uint())
    let padded = (length + 3) / 4 * 4
    guard offset + padded <= end else { throw .unclear }
    let text = bytes.text(at: offset, count: max(0, length - 1))
    offset += padded
    return text
  }
}

/// Why there is no window, or not any more.
enum WaylandFault: Error {
  /// Nobody can be reached at the socket, for this reason.
  case unreachable(String)
  /// The compositor has gone.
  case gone
  /// It takes too long.
  case silent
  /// It does not have this.
  case missing(String)
  /// It says that something was wrong.
  case refused(String)
  /// What it says cannot be.
  case unclear
  /// There is no memory for pixels, for this reason.
  case memory(String)

  /// The reason, for a person.
  var reason: String {
    switch self {
    case .unreachable(let reason): "the compositor cannot be reached (\(reason))"
    case .gone: "the compositor has ended the connection"
    case .silent: "the compositor does not answer"
    case .missing(let name): "the compositor has no \(name)"
    case .refused(let reason): "the compositor says: \(reason)"
    case .unclear: "what answers there is no compositor"
    case .memory(let reason): "there is no memory for the picture (\(reason))"
    }
  }
}
