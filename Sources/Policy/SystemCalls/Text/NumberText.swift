// SPDX-License-Identifier: Apache-2.0

/// Numbers as they are written in calls.
package enum NumberText {
  /// `0x…`
  package static func hexadecimal(_ value: UInt64) -> String { "0x" + String(value, radix: 16) }

  /// Decimal where a person can still compare it, with a sign if it is a small negative number of 64 bits, else
  /// hexadecimal.
  package static func plain(_ value: UInt64) -> String {
    if value < 1_000_000 { return String(value) }
    let signed = Int64(bitPattern: value)
    return signed < 0 && signed >= -4096 ? String(signed) : hexadecimal(value)
  }

  /// The octal digits of a mode, after a zero.
  static func octal(_ value: UInt64) -> String { value == 0 ? "0" : "0" + String(value, radix: 8) }

  /// The number that a text says: decimal, with a sign, hexadecimal (`0x`) or octal (`0`), as C has them; nil if it says
  /// none, or one of more than 64 bits.
  package static func value(_ text: String) -> UInt64? {
    if text.hasPrefix("-") {
      guard let signed = Int64(text), text != "-0" else { return nil }
      return UInt64(bitPattern: signed)
    }
    guard let first = text.utf8.first, first >= UInt8(ascii: "0"), first <= UInt8(ascii: "9") else {
      return nil
    }
    if text.hasPrefix("0x") || text.hasPrefix("0X") { return UInt64(text.dropFirst(2), radix: 16) }
    if text.hasPrefix("0"), text.utf8.count > 1 { return UInt64(text.dropFirst(), radix: 8) }
    return UInt64(text)
  }
}
