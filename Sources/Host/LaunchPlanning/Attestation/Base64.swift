// SPDX-License-Identifier: Apache-2.0

/// Base64 with the standard alphabet and padding (RFC 4648, section 4).
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  /// Returns the encoding of the bytes.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for index in 0..<3 { bits = bits << 8 | UInt32(index < group.count ? group[start + index] : 0) }
      for index in 0..<4 {
        text.append(index <= group.count ? alphabet[Int(bits >> (18 - 6 * UInt32(index)) & 63)] : padding)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the decoded bytes, or `nil` unless the text is exactly the one that ``encode(_:)`` returns for
  /// them.
  ///
  /// A second valid text for the same bytes would allow changes to a document that keep its signature valid.
  package static func decode(_ text: String) -> [UInt8]? {
    let characters = Array(text.utf8)
    guard characters.count.isMultiple(of: 4) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 4 * 3)
    for start in stride(from: 0, to: characters.count, by: 4) {
      let group = characters[start..<start + 4].prefix { $0 != padding }
      guard group.count >= 2, group.count == 4 || start + 4 == characters.count else { return nil }
      var bits: UInt32 = 0
      for index in 0..<4 {
        guard index < group.count else {
          bits <<= 6
          continue
        }
        guard let value = values[group[start + index]] else { return nil }
        bits = bits << 6 | value
      }
      for index in 0..<group.count - 1 {
        bytes.append(UInt8(truncatingIfNeeded: bits >> (16 - 8 * UInt32(index))))
      }
    }
    return encode(bytes) == text ? bytes : nil
  }

  private static let values: [UInt8: UInt32] = Dictionary(
    uniqueKeysWithValues: alphabet.enumerated().map { ($1, UInt32($0)) }
  )
}
