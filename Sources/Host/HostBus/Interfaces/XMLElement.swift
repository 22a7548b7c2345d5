// SPDX-License-Identifier: Apache-2.0

/// An element of an XML document. Introspection data contains no text between elements.
struct XMLElement: Sendable {
  /// The name.
  let name: String
  /// The attributes with their values.
  let attributes: [String: String]
  /// The elements inside of the element.
  let children: [XMLElement]
  /// The bytes of the element in the document.
  let range: Range<Int>

  /// Parses a document and returns its root, or `nil` if the document is malformed.
  ///
  /// The parser ignores text, comments and declarations, and supports the five predefined entities.
  static func root(of bytes: [UInt8]) -> XMLElement? {
    var reader = Reader(bytes: bytes)
    let root = reader.element()
    return reader.isMalformed ? nil : root
  }
}

extension XMLElement {
  /// A parser at a position of a document.
  private struct Reader {
    let bytes: [UInt8]
    var index = 0
    /// Whether an element was malformed.
    var isMalformed = false

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the next element, or `nil` at an end tag, at the end of the document, or if the element is
    /// malformed.
    mutating func element() -> XMLElement? {
      skipToTag()
      let start = index
      guard !starts("</"), take("<") else { return nil }
      guard let name = takeName() else { return fail() }
      var attributes: [String: String] = [:]
      while true {
        skipSpace()
        if take("/>") {
          return XMLElement(name: name, attributes: attributes, children: [], range: start..<index)
        }
        if take(">") { break }
        guard let key = takeName(), take("="), let value = takeQuoted() else { return fail() }
        attributes[key] = value
      }
      var children: [XMLElement] = []
      while let child = element() { children.append(child) }
      guard take("</\(name)>") else { return fail() }
      return XMLElement(name: name, attributes: attributes, children: children, range: start..<index)
    }

    private mutating func fail() -> XMLElement? {
      isMalformed = true
      return nil
    }

    /// Skips text, comments and declarations.
    private mutating func skipToTag() {
      while index < bytes.count {
        if take("<!--") {
          skip(past: "-->")
        } else if take("<?") || take("<!") {
          skip(past: ">")
        } else if bytes[index] == UInt8(ascii: "<") {
          return
        } else {
          index += 1
        }
      }
    }

    private mutating func skipSpace() {
      while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    }

    private mutating func skip(past end: String) {
      while index < bytes.count, !take(end) { index += 1 }
    }

    private func starts(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

    private mutating func take(_ text: String) -> Bool {
      guard starts(text) else { return false }
      index += text.utf8.count
      return true
    }

    private mutating func takeName() -> String? {
      let start = index
      let ends = Set(" \t\r\n=/>\"'<".utf8)
      while index < bytes.count, !ends.contains(bytes[index]) { index += 1 }
      return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
    }

    private mutating func takeQuoted() -> String? {
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'")
      else {
        return nil
      }
      let quote = bytes[index]
      let start = index + 1
      guard let end = bytes[start...].firstIndex(of: quote) else { return nil }
      index = end + 1
      let text = String(decoding: bytes[start..<end], as: UTF8.self)
      return text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
        .replacing("&apos;", with: "'").replacing("&amp;", with: "&")
    }
  }
}
