// SPDX-License-Identifier: Apache-2.0

/// Makes text of what an extension wrote: one line, printable, of bounded length.
package enum UntrustedText {
  /// How much of a text is shown, in characters of the result.
  static let limit = 240

  /// A quoted text up to the first zero byte; `asked` bytes were asked for, so that a text as long as that goes on.
  static func quoted(_ bytes: [UInt8], asked: Int) -> String {
    let end = bytes.firstIndex(of: 0)
    let isWhole = end != nil || bytes.count < asked
    return quoted(all: Array(bytes[..<(end ?? bytes.count)]), isWhole: isWhole)
  }

  /// A quoted text of all these bytes.
  static func quoted(all bytes: [UInt8], isWhole: Bool = true) -> String {
    let shown = escaped(bytes)
    return "\"\(shown.text)\"" + (isWhole && shown.isWhole ? "" : "…")
  }

  /// A word without quotes, such as the name of a program.
  package static func word(_ text: String, limit: Int = 64) -> String {
    let shown = escaped(Array(text.utf8), limit: limit)
    return shown.text + (shown.isWhole ? "" : "…")
  }

  /// The bytes as printable text; those that are not UTF-8 as `\xNN`.
  private static func escaped(_ bytes: [UInt8], limit: Int = limit) -> (text: String, isWhole: Bool) {
    var text = ""
    var length = 0
    var index = 0
    while index < bytes.count {
      let (piece, count) = piece(bytes[index...])
      length += piece.utf8.count
      guard length <= limit else { return (text, false) }
      text += piece
      index += count
    }
    return (text, true)
  }

  /// The first character as it is shown, and the number of its bytes.
  private static func piece(_ bytes: ArraySlice<UInt8>) -> (text: String, bytes: Int) {
    for count in 1...4 where count <= bytes.count {
      guard let whole = String(validating: bytes.prefix(count), as: UTF8.self),
        let scalar = whole.unicodeScalars.first
      else { continue }
      return (shown(scalar), count)
    }
    return (hexadecimal(bytes.first ?? 0), 1)
  }

  private static func shown(_ scalar: Unicode.Scalar) -> String {
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

  /// A JSON text that means the same and is printable.
  static func printable(json: String) -> String {
    json.unicodeScalars.map { scalar in
      guard !isPrintable(scalar) else { return String(scalar) }
      return String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }.joined()
  }

  /// Whether a character stands for itself: it controls neither a terminal nor the direction of text.
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
