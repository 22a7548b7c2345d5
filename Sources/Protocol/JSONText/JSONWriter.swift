// SPDX-License-Identifier: Apache-2.0

/// A layout of JSON texts.
public enum JSONLayout: Sendable {
  /// One line without spaces, for messages.
  case compact
  /// One member per line, indented by two spaces per level, with a newline at the end; for files and
  /// terminals.
  case indented
}

extension JSONValue {
  /// Returns the value as JSON text (RFC 8259).
  ///
  /// A number that JSON cannot represent (infinity or NaN) becomes `null`.
  public func text(_ layout: JSONLayout = .compact) -> String {
    String(decoding: bytes(layout), as: UTF8.self)
  }

  /// Returns the UTF-8 bytes of ``text(_:)``.
  public func bytes(_ layout: JSONLayout = .compact) -> [UInt8] {
    var writer = JSONWriter(layout: layout)
    writer.write(self, level: 0)
    if layout == .indented { writer.bytes.append(UInt8(ascii: "\n")) }
    return writer.bytes
  }
}

/// A writer of JSON texts.
struct JSONWriter {
  let layout: JSONLayout
  /// The written bytes that were not passed on yet.
  var bytes: [UInt8] = []

  /// Creates a writer.
  init(layout: JSONLayout) {
    self.layout = layout
  }

  /// Appends text without escapes.
  mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends a value at a nesting level.
  mutating func write(_ value: JSONValue, level: Int) {
    switch value {
    case .null: put("null")
    case .bool(let value): put(value ? "true" : "false")
    case .integer(let value): put(String(value))
    case .number(let value): put(value.isFinite ? value.description : "null")
    case .string(let value): write(value)
    case .array(let elements):
      list("[", elements, "]", level) { writer, element in writer.write(element, level: level + 1) }
    case .object(let members):
      list("{", members, "}", level) { writer, member in
        writer.write(member.name)
        writer.put(writer.layout == .compact ? ":" : ": ")
        writer.write(member.value, level: level + 1)
      }
    }
  }

  private mutating func list<Item>(
    _ open: String,
    _ items: [Item],
    _ close: String,
    _ level: Int,
    _ write: (inout JSONWriter, Item) -> Void
  ) {
    put(open)
    for (index, item) in items.enumerated() {
      if index > 0 { put(",") }
      breakLine(level + 1)
      write(&self, item)
    }
    if !items.isEmpty { breakLine(level) }
    put(close)
  }

  /// Starts a new line if the layout is indented.
  mutating func breakLine(_ level: Int) {
    guard layout == .indented else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
  }

  /// Appends a string.
  mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { text in
      // Few strings have bytes to escape, and a record can have millions of strings.
      let plain = text.firstIndex(where: Self.isEscaped) ?? text.endIndex
      bytes.append(contentsOf: text[..<plain])
      for byte in text[plain...] { writeEscaped(byte) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Whether a byte of a string must be escaped.
  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }

  /// Appends a byte of a string, escaped if necessary.
  private mutating func writeEscaped(_ byte: UInt8) {
    guard Self.isEscaped(byte) else { return bytes.append(byte) }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case 0x0A: put("\\n")
    case 0x0D: put("\\r")
    case 0x09: put("\\t")
    default:
      let digits = String(byte, radix: 16)
      put("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    }
  }
}
