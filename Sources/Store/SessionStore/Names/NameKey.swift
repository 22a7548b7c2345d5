// SPDX-License-Identifier: Apache-2.0

/// The key by which a file system compares a name with others.
enum NameKey: Hashable {
  /// The bytes, as on Linux.
  case exact([UInt8])
  /// The name without case, normal form and invisible characters.
  ///
  /// The text need not be normalized, because Swift compares strings by canonical equivalence.
  case folded(String)

  /// Creates the key of a UTF-8 name for content of the given form.
  init(_ name: [UInt8], _ form: ContentRule.Form) {
    switch form {
    case .portable: self = .folded(Self.fold(String(decoding: name, as: UTF8.self)))
    case .asWritten: self = .exact(name)
    }
  }

  /// Returns a text without case and invisible characters.
  ///
  /// This is Unicode's full case folding, which is independent of the language. "ß" equals "ss", "ς" equals
  /// "σ", and the Turkish dotless "ı" differs from "i". ext4 and APFS fold in the same way; NTFS folds less.
  static func fold(_ text: String) -> String {
    var folded = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        folded.append(Unicode.Scalar(NameBytes.lowercase(UInt8(scalar.value))))
      } else if scalar.properties.changesWhenCaseMapped {
        folded.append(contentsOf: fold(scalar).unicodeScalars)
      } else if !scalar.properties.isDefaultIgnorableCodePoint {
        folded.append(scalar)
      }
    }
    return String(folded)
  }

  /// Returns the folded form of a character by the steps lowercase, uppercase, lowercase: "ẞ" becomes "ss" by
  /// way of "ß".
  ///
  /// "ı" is excluded because its uppercase letter is that of "i".
  private static func fold(_ scalar: Unicode.Scalar) -> String {
    if scalar == "\u{131}" { return "\u{131}" }
    let upper = scalar.properties.lowercaseMapping.unicodeScalars.map(\.properties.uppercaseMapping).joined()
    return upper.unicodeScalars.map(\.properties.lowercaseMapping).joined()
  }

  /// The characters outside of ASCII with an ASCII folded form, and the superscript digits that Windows
  /// accepts in device names.
  static let foldedToASCII = Set(
    "\u{DF}\u{17F}\u{1E9E}\u{212A}\u{FB00}\u{FB01}\u{FB02}\u{FB03}\u{FB04}\u{FB05}\u{FB06}\u{B2}\u{B3}\u{B9}"
      .unicodeScalars
  )

  /// Whether two names may have the same folded key. The result can be `true` for distinct keys of ASCII
  /// names.
  static func mayCollide(_ names: [[UInt8]]) -> Bool {
    var hasUppercase = false
    for byte in names.joined() {
      if byte >= 0x80 {
        var keys = Set<NameKey>(minimumCapacity: names.count)
        return !names.allSatisfy { keys.insert(NameKey($0, .portable)).inserted }
      }
      hasUppercase = hasUppercase || NameBytes.lowercase(byte) != byte
    }
    // Names without uppercase letters are distinct because their bytes are.
    guard hasUppercase else { return false }
    var hashes = Set<UInt64>(minimumCapacity: names.count)
    return !names.allSatisfy { hashes.insert(NameBytes.lowercaseHash($0)).inserted }
  }
}

/// Properties of the bytes of a name.
enum NameBytes {
  /// Returns an ASCII byte in lowercase.
  static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// Returns a hash (FNV-1a) that does not depend on the case of ASCII letters.
  static func lowercaseHash(_ name: [UInt8]) -> UInt64 {
    name.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64(lowercase($1))) &* 0x100_0000_01B3 }
  }
}
