// SPDX-License-Identifier: Apache-2.0

/// The keys among what comes from a terminal: answers of the terminal, and keys that send more than one byte, are left
/// out, so that no part of them is taken for a key.
package struct TerminalKeys: Sendable {
  /// Where in a sequence the next byte is (ECMA-48).
  private enum Place {
    /// In none.
    case outside
    /// After the byte that begins one.
    case escape
    /// After that byte, which was the last that came: it begins one, or it was the key of that name.
    case lastEscape
    /// After `ESC [`, until a letter.
    case control
    /// After `ESC O`: one byte more.
    case single
    /// In a text of the terminal, until `ESC \` or the bell; so many bytes of it were left out.
    case text(Int)
    /// In one, after another `ESC`.
    case textEscape(Int)
  }

  /// The longest text of a terminal that is left out; what is longer is none.
  private static let longestText = 4096
  private static let escape: UInt8 = 0x1B

  private var place = Place.outside

  /// Begins outside of every sequence.
  package init() {}

  /// The keys among these bytes, which follow those of the last call.
  package mutating func keys(_ bytes: [UInt8]) -> [UInt8] {
    let found = bytes.filter { isKey($0) }
    if case .escape = place { place = .lastEscape }
    return found
  }

  private mutating func isKey(_ byte: UInt8) -> Bool {
    switch (place, byte) {
    // Two bytes that end every sequence (CAN, SUB).
    case (_, 0x18), (_, 0x1A): place = .outside
    case (.text(let count), Self.escape): place = .textEscape(count + 1)
    case (.textEscape, UInt8(ascii: "\\")), (.text, 0x07): place = .outside
    case (.text(let count), _), (.textEscape(let count), _):
      place = count < Self.longestText ? .text(count + 1) : .outside
    case (_, Self.escape): place = .escape
    case (.outside, _): return true
    case (.escape, _), (.lastEscape, _):
      let isLast = if case .lastEscape = place { true } else { false }
      place = Self.begun(by: byte)
      if case .outside = place { return isLast }
    case (.control, 0x00...0x3F): break
    case (.control, _), (.single, _): place = .outside
    }
    return false
  }

  /// Where a sequence goes on whose second byte is this.
  private static func begun(by byte: UInt8) -> Place {
    switch byte {
    case UInt8(ascii: "["): .control
    case UInt8(ascii: "O"): .single
    case UInt8(ascii: "_"), UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "X"):
      .text(0)
    default: .outside
    }
  }
}
