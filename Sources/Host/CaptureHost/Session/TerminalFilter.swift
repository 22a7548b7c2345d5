// SPDX-License-Identifier: Apache-2.0

/// Makes what an extension wrote harmless to a terminal: control characters become text.
///
/// A terminal obeys what it is sent: it can be made to set its title, to answer into its own input, or to hide what
/// stands before. Lines and tabs stay; the bytes of a character may come in two pieces.
package struct TerminalFilter {
  /// The first byte of the two of which the controls from U+0080 to U+009F consist in UTF-8.
  private static let lead: UInt8 = 0xC2
  private var hasLead = false

  /// Creates a filter for the beginning of a text.
  package init() {}

  /// The text to show for these bytes, which follow those of the last call.
  package mutating func filter(_ bytes: [UInt8]) -> [UInt8] {
    var shown: [UInt8] = []
    shown.reserveCapacity(bytes.count)
    for byte in bytes {
      if hasLead {
        hasLead = false
        if (0x80...0x9F).contains(byte) {
          shown += Self.escape(byte)
          continue
        }
        shown.append(Self.lead)
      }
      switch byte {
      case Self.lead: hasLead = true
      case UInt8(ascii: "\n"), UInt8(ascii: "\t"): shown.append(byte)
      case 0..<0x20, 0x7F: shown += Self.escape(byte)
      default: shown.append(byte)
      }
    }
    return shown
  }

  private static func escape(_ byte: UInt8) -> [UInt8] {
    let digits = String(byte, radix: 16)
    return Array("\\x\(byte < 16 ? "0" : "")\(digits)".utf8)
  }
}
