// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The ID of a session: a random UUID (RFC 9562, version 4) in lowercase.
package struct SessionID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The UUID as 36 characters.
  package let description: String

  /// Returns a new, unpredictable ID.
  package static func random() -> SessionID {
    var bytes = Randomness.bytes(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    var text = hexadecimalText(bytes)
    // In descending order, so that earlier offsets stay valid.
    for place in [20, 16, 12, 8] { text.insert("-", at: text.utf8.index(text.startIndex, offsetBy: place)) }
    return SessionID(unchecked: text)
  }

  private init(unchecked text: String) { description = text }

  /// Creates an ID from text, or returns `nil` unless the text is a random UUID in lowercase.
  ///
  /// Each ID has a single spelling, because it is also the name of a directory.
  package init?(_ text: String) {
    let characters = Array(text.utf8)
    guard characters.count == 36 else { return nil }
    for (index, character) in characters.enumerated() {
      guard Self.isAllowed(character, at: index) else { return nil }
    }
    self.init(unchecked: text)
  }

  private static func isAllowed(_ character: UInt8, at index: Int) -> Bool {
    switch index {
    case 8, 13, 18, 23: character == UInt8(ascii: "-")
    case 14: character == UInt8(ascii: "4")
    case 19: "89ab".utf8.contains(character)
    default: "0123456789abcdef".utf8.contains(character)
    }
  }

  /// The lexicographic order of the text. It has no meaning but is stable.
  package static func < (left: SessionID, right: SessionID) -> Bool { left.description < right.description }
}
