// SPDX-License-Identifier: Apache-2.0

/// A conversion of text from an extension to printable text, in one line of limited length.
package enum UntrustedText {
  /// The maximum length of the result in bytes.
  static let maximumLength = 240

  /// Returns a quoted text up to the first zero byte. `requested` is the number of requested bytes; a text of
  /// this length may be incomplete and ends with an ellipsis.
  static func quoted(_ bytes: [UInt8], requested: Int) -> String {
    let end = bytes.firstIndex(of: 0)
    let isWhole = end != nil || bytes.count < requested
    return quoted(all: Array(bytes[..<(end ?? bytes.count)]), isWhole: isWhole)
  }

  /// Returns a quoted text of all bytes.
  static func quoted(all bytes: [UInt8], isWhole: Bool = true) -> String {
    let shown = escaped(bytes)
    return "\"\(shown.text)\"" + (isWhole && shown.isWhole ? "" : "…")
  }

  /// Returns a text without quotes, such as the name of a program.
  package static func unquoted(_ text: String, limit: Int = 64) -> String {
    let shown = escaped(Array(text.utf8), limit: limit)
    return shown.text + (shown.isWhole ? "" : "…")
  }

  /// Returns bytes as printable text, with `\xNN` for bytes that are not UTF-8.
  private static func escaped(_ bytes: [UInt8], limit: Int = maximumLength) -> (text: String, isWhole: Bool) {
    var text = ""
    var length = 0
    var index = 0
    while index < bytes.count {
      let (firstCharacter, count) = firstCharacter(bytes[index...])
      length += firstCharacter.utf8.count
      guard length <= limit else { return (text, false) }
      text += firstCharacter
      index += count
    }
    return (text, true)
  }

  /// Returns the first character in printable form, and the number of its bytes.
  private static func firstCharacter(_ bytes: ArraySlice<UInt8>) -> (text: String, bytes: Int) {
    for count in 1...4 where count <= bytes.count {
      guard let whole = String(validating: bytes.prefix(count), as: UTF8.self),
        let scalar = whole.unicodeScalars.first
      else { continue }
      return (rendered(scalar), count)
    }
    return (hexadecimal(bytes.first ?? 0), 1)
  }

  private static func rendered(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"", "\\": return "\\\(scalar)"
    case "\n": return "\\n"
    case "\t": return "\\t"
    default:
      guard isPrintable(scalar) else {
        return scalar.value < 0x80
          ? hexadecimal(UInt8(scalar.value)) : "\\u{\(String(scalar.value, radix: 16))}"
      }
      return String(scalar)
    }
  }

  /// Returns an equivalent JSON text with only printable characters.
  static func printable(json: String) -> String {
    json.unicodeScalars.map { scalar in
      guard !isPrintable(scalar) else { return String(scalar) }
      return String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }.joined()
  }

  /// Returns whether a character is printable: it controls neither the terminal nor the direction of text.
  static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return "\\x" + (byte < 16 ? "0" : "") + digits
  }
}
