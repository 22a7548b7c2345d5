// SPDX-License-Identifier: Apache-2.0

/// The textual form of numbers in calls.
package enum NumberText {
  /// Returns a hexadecimal number with `0x` in front.
  package static func hexadecimal(_ value: UInt64) -> String { "0x" + String(value, radix: 16) }

  /// Returns a decimal number if it is small, or a hexadecimal one.
  ///
  /// A small negative number of 64 bits has a sign.
  package static func plain(_ value: UInt64) -> String {
    if value < 1_000_000 { return String(value) }
    let signed = Int64(bitPattern: value)
    return signed < 0 && signed >= -4096 ? String(signed) : hexadecimal(value)
  }

  /// Returns the octal digits of a mode, with a leading zero.
  static func octal(_ value: UInt64) -> String { value == 0 ? "0" : "0" + String(value, radix: 8) }

  /// Returns the value of a number in C syntax: decimal with an optional sign, hexadecimal (`0x`) or octal
  /// (`0`).
  ///
  /// The value is `nil` if the text is not a number or needs more than 64 bits.
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
