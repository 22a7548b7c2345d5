// SPDX-License-Identifier: Apache-2.0

/// The strings that messages can contain.
enum BusText {
  /// Returns the text with U+FFFD instead of each character that a D-Bus string cannot contain: NUL, and the
  /// noncharacters that sd-bus rejects.
  static func sanitized(_ text: String) -> String {
    // All noncharacters start with one of these bytes in UTF-8, which few texts contain.
    guard text.utf8.contains(where: { $0 == 0 || $0 >= 0xEF }) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(isPermitted(scalar) ? scalar : "\u{FFFD}") }
    return String(result)
  }

  private static func isPermitted(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value != 0 && !(0xFDD0...0xFDEF).contains(scalar.value) && scalar.value & 0xFFFE != 0xFFFE
  }
}
