// SPDX-License-Identifier: Apache-2.0

/// Texts for names and paths, which can be any bytes.
enum FileName {
  /// Returns a name, or a path, for users and for JSON. If a record and a terminal cannot show one of its names, every byte
  /// that is not printable ASCII is written `\xNN`.
  static func text(_ path: [UInt8]) -> String {
    let isShowable =
      NameSpelling.isPrintableASCII(path)
      || path.split(separator: UInt8(ascii: "/")).allSatisfy {
        NameSpelling.fault(Array($0), .asWritten) == nil
      }
    return isShowable ? String(decoding: path, as: UTF8.self) : escaped(path)
  }

  /// Returns a name that was changed, for users and for JSON: like ``text(_:)``, but a backslash is written `\x5c`, so that
  /// the text names one name only.
  static func formerText(_ name: [UInt8]) -> String {
    guard name.contains(UInt8(ascii: "\\")) else { return text(name) }
    return escaped(name)
  }

  private static func escaped(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let isShown = (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\\")
      return isShown ? String(Unicode.Scalar(byte)) : "\\x" + hexadecimal(byte, .lower)
    }.joined()
  }

  /// How digits are written.
  enum Case {
    /// As in what is shown.
    case lower
    /// As in addresses (RFC 3986).
    case upper
  }

  /// Returns a byte as two hexadecimal digits.
  static func hexadecimal(_ byte: UInt8, _ letters: Case) -> String {
    let digits = String(byte, radix: 16, uppercase: letters == .upper)
    return byte < 16 ? "0" + digits : digits
  }
}
