// SPDX-License-Identifier: Apache-2.0

extension JSONNode {
  /// Parses a JSON text (RFC 8259) strictly: valid UTF-8, unique names in each object, no text after the
  /// value.
  ///
  /// The parser recurses once per level, so `limits.depth` also limits the stack that a malicious text can
  /// use.
  public static func parse(_ bytes: [UInt8], limits: JSONLimits = .document) throws(JSONSyntaxError)
    -> JSONNode
  {
    guard bytes.count <= limits.bytes else {
      throw JSONSyntaxError(
        reason: .tooLarge(limit: limits.bytes),
        position: TextPosition(line: 1, column: 1)
      )
    }
    var reader = JSONReader(bytes: bytes, limits: limits)
    return try reader.document()
  }

  /// Parses a JSON text from a string.
  public static func parse(_ text: String, limits: JSONLimits = .document) throws(JSONSyntaxError) -> JSONNode
  {
    try parse(Array(text.utf8), limits: limits)
  }
}

/// A parser of JSON texts: the bytes and the current position.
private struct JSONReader {
  let bytes: [UInt8]
  let limits: JSONLimits
  var index = 0
  var line = 1
  var lineStart = 0
  var depth = 0

  init(bytes: [UInt8], limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  var position: TextPosition { TextPosition(line: line, column: index - lineStart + 1) }

  func failure(_ reason: JSONSyntaxError.Reason) -> JSONSyntaxError {
    JSONSyntaxError(
      reason: index >= bytes.count && isEndSensitive(reason) ? .unexpectedEnd : reason,
      position: position
    )
  }

  private func isEndSensitive(_ reason: JSONSyntaxError.Reason) -> Bool {
    if case .expected = reason { true } else { false }
  }

  mutating func document() throws(JSONSyntaxError) -> JSONNode {
    skipSpace()
    let node = try value()
    skipSpace()
    guard index == bytes.count else { throw failure(.trailingText) }
    return node
  }

  mutating func skipSpace() {
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        index += 1
      case UInt8(ascii: "\n"):
        index += 1
        line += 1
        lineStart = index
      default:
        return
      }
    }
  }

  mutating func consume(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  mutating func value() throws(JSONSyntaxError) -> JSONNode {
    guard index < bytes.count else { throw failure(.expected(.value)) }
    let start = position
    let kind: JSONNode.Kind
    switch bytes[index] {
    case UInt8(ascii: "{"): kind = .object(try members())
    case UInt8(ascii: "["): kind = .array(try elements())
    case UInt8(ascii: "\""): kind = .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): kind = try number()
    default: kind = try literal()
    }
    return JSONNode(kind: kind, position: start)
  }

  mutating func literal() throws(JSONSyntaxError) -> JSONNode.Kind {
    for (text, kind) in [("true", JSONNode.Kind.bool(true)), ("false", .bool(false)), ("null", .null)]
    where bytes[index...].starts(with: text.utf8) {
      index += text.utf8.count
      return kind
    }
    throw failure(.expected(.value))
  }

  mutating func enterContainer() throws(JSONSyntaxError) {
    depth += 1
    guard depth <= limits.depth else { throw failure(.tooDeep(limit: limits.depth)) }
    index += 1
    skipSpace()
  }

  mutating func elements() throws(JSONSyntaxError) -> [JSONNode] {
    try enterContainer()
    var elements: [JSONNode] = []
    while !consume(UInt8(ascii: "]")) {
      if !elements.isEmpty {
        guard consume(UInt8(ascii: ",")) else { throw failure(.expected(.commaOrBracket)) }
        skipSpace()
      }
      elements.append(try value())
      skipSpace()
    }
    depth -= 1
    return elements
  }

  mutating func members() throws(JSONSyntaxError) -> [JSONNode.Member] {
    try enterContainer()
    var members: [JSONNode.Member] = []
    var names = UniqueNames()
    while !consume(UInt8(ascii: "}")) {
      if !members.isEmpty {
        guard consume(UInt8(ascii: ",")) else { throw failure(.expected(.commaOrBrace)) }
        skipSpace()
      }
      let member = try self.member()
      guard names.insert(member.name) else {
        throw JSONSyntaxError(reason: .duplicateName(member.name), position: member.position)
      }
      members.append(member)
      skipSpace()
    }
    depth -= 1
    return members
  }

  mutating func member() throws(JSONSyntaxError) -> JSONNode.Member {
    let start = position
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw failure(.expected(.name)) }
    let name = try string()
    skipSpace()
    guard consume(UInt8(ascii: ":")) else { throw failure(.expected(.colon)) }
    skipSpace()
    return JSONNode.Member(name: name, position: start, value: try value())
  }

  mutating func string() throws(JSONSyntaxError) -> String {
    index += 1
    // `text` has the bytes up to the last escape, and `plain` is the index after it. Most strings have no
    // escape.
    var text: [UInt8] = []
    var plain = index
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""):
        if !text.isEmpty { text.append(contentsOf: bytes[plain..<index]) }
        let read =
          text.isEmpty ? validatedString(bytes.span.extracting(plain..<index)) : validatedString(text.span)
        guard let read else { throw failure(.invalidUTF8) }
        index += 1
        return read
      case UInt8(ascii: "\\"):
        text.append(contentsOf: bytes[plain..<index])
        try escape(into: &text)
        plain = index
      case 0..<0x20:
        throw failure(.controlCharacter(byte))
      default:
        index += 1
      }
    }
    throw failure(.unexpectedEnd)
  }

  /// Returns the bytes as a string, or `nil` if they are not valid UTF-8.
  private func validatedString(_ bytes: Span<UInt8>) -> String? {
    do { return String(copying: try UTF8Span(validating: bytes)) } catch { return nil }
  }

  mutating func escape(into text: inout [UInt8]) throws(JSONSyntaxError) {
    guard index + 1 < bytes.count else { throw failure(.unexpectedEnd) }
    let plain: UInt8
    switch bytes[index + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain = bytes[index + 1]
    case UInt8(ascii: "b"): plain = 0x08
    case UInt8(ascii: "f"): plain = 0x0C
    case UInt8(ascii: "n"): plain = 0x0A
    case UInt8(ascii: "r"): plain = 0x0D
    case UInt8(ascii: "t"): plain = 0x09
    case UInt8(ascii: "u"):
      text.append(contentsOf: String(Character(try unicodeEscape())).utf8)
      return
    default: throw failure(.invalidEscape)
    }
    text.append(plain)
    index += 2
  }

  mutating func unicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, index < bytes.count, bytes[index] == UInt8(ascii: "\\") else {
      throw failure(.loneSurrogate)
    }
    let second = try codeUnit()
    guard (0xDC00..<0xE000).contains(second) else { throw failure(.loneSurrogate) }
    let combined = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
    guard let scalar = Unicode.Scalar(combined) else { throw failure(.loneSurrogate) }
    return scalar
  }

  /// Reads one `\uXXXX` escape.
  mutating func codeUnit() throws(JSONSyntaxError) -> UInt16 {
    guard index + 6 <= bytes.count else { throw failure(.unexpectedEnd) }
    guard bytes[index + 1] == UInt8(ascii: "u") else { throw failure(.loneSurrogate) }
    var unit: UInt16 = 0
    for digit in bytes[index + 2..<index + 6] {
      guard let nibble = Character(Unicode.Scalar(digit)).hexDigitValue, digit < 0x80 else {
        throw failure(.invalidEscape)
      }
      unit = unit << 4 | UInt16(nibble)
    }
    index += 6
    return unit
  }

  mutating func number() throws(JSONSyntaxError) -> JSONNode.Kind {
    let start = index
    _ = consume(UInt8(ascii: "-"))
    let leading = index
    skipDigits()
    let hasLeadingZero = bytes[leading..<index].first == UInt8(ascii: "0") && index - leading > 1
    guard index > leading, !hasLeadingZero else { throw failure(.invalidNumber) }
    var isInteger = true
    if consume(UInt8(ascii: ".")) {
      isInteger = false
      guard skipDigits() > 0 else { throw failure(.invalidNumber) }
    }
    if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
      isInteger = false
      if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
      guard skipDigits() > 0 else { throw failure(.invalidNumber) }
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isInteger, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { throw failure(.invalidNumber) }
    return .number(number)
  }

  @discardableResult
  mutating func skipDigits() -> Int {
    let start = index
    while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) { index += 1 }
    return index - start
  }
}
