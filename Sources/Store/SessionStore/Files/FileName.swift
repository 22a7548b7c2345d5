// SPDX-License-Identifier: Apache-2.0

/// Conversion of names and paths, which are arbitrary bytes, to text.
enum FileName {
  /// Returns a name or path as text for users and JSON.
  ///
  /// If a record or terminal cannot display one of its components, every byte that is not printable ASCII is
  /// written as `\xNN`.
  static func text(_ path: [UInt8]) -> String {
    let isDisplayable =
      NameSpelling.isPrintableASCII(path)
      || path.split(separator: UInt8(ascii: "/")).allSatisfy {
        NameSpelling.fault(Array($0), .asWritten) == nil
      }
    return isDisplayable ? String(decoding: path, as: UTF8.self) : escaped(path)
  }

  /// Returns a former name as text for users and JSON.
  ///
  /// Unlike in ``text(_:)``, a backslash is written as `\x5c`, so that distinct names have distinct texts.
  static func formerText(_ name: [UInt8]) -> String {
    guard name.contains(UInt8(ascii: "\\")) else { return text(name) }
    return escaped(name)
  }

  private static func escaped(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let isPrintable = (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\\")
      return isPrintable ? String(Unicode.Scalar(byte)) : "\\x" + hexadecimal(byte, .lower)
    }.joined()
  }

  /// The case of hexadecimal digits.
  enum Case {
    /// Lowercase, as in displayed text.
    case lower
    /// Uppercase, as in percent-encoding (RFC 3986).
    case upper
  }

  /// Returns a byte as two hexadecimal digits.
  static func hexadecimal(_ byte: UInt8, _ letters: Case) -> String {
    let digits = String(byte, radix: 16, uppercase: letters == .upper)
    return byte < 16 ? "0" + digits : digits
  }
}
