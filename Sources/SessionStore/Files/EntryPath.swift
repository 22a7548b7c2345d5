// SPDX-License-Identifier: Apache-2.0

/// A path below a content directory, as the bytes that the kernel has.
struct EntryPath: Hashable {
  /// The bytes, without a slash at either end; empty for the directory itself.
  let bytes: [UInt8]

  /// The directory itself.
  static let root = EntryPath(bytes: [])

  /// The path of an entry in the directory that has this path.
  func appending(_ name: [UInt8]) -> EntryPath {
    EntryPath(bytes: bytes.isEmpty ? name : bytes + [UInt8(ascii: "/")] + name)
  }

  /// The path as text; bytes that are no UTF-8, and characters that a terminal would obey, are written `\xNN`.
  var text: String { FileName.text(bytes) }
}

/// What can be said of a file's name.
enum FileName {
  /// Why a name may not reach the app; nil if it may.
  static func fault(_ name: [UInt8]) -> QuarantineReason? {
    guard let text = String(validating: name, as: UTF8.self) else { return .nameNotUTF8 }
    return text.unicodeScalars.contains(where: isControl) ? .nameWithControlCharacters : nil
  }

  /// Whether a character moves the cursor, ends a line or turns the direction of the text around it.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x061C: true
    default: false
    }
  }

  /// A name for people and for JSON: what can't be shown is written `\xNN`.
  static func text(_ name: [UInt8]) -> String {
    if let text = String(validating: name, as: UTF8.self), !text.unicodeScalars.contains(where: isControl) {
      return text
    }
    return name.map { byte in
      (0x20..<0x7F).contains(byte) ? String(Unicode.Scalar(byte)) : "\\x" + hexadecimal(byte)
    }.joined()
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return byte < 16 ? "0" + digits : digits
  }
}
