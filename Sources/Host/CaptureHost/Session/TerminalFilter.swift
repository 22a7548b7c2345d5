// SPDX-License-Identifier: Apache-2.0

/// Escapes the control characters in an extension's output, so that the output cannot control a terminal.
///
/// Escape sequences can set a terminal's title, make it write to its own input, or hide earlier output.
/// Newlines and tabs are kept. A UTF-8 character may be split between two calls.
package struct TerminalFilter {
  /// The first byte of the UTF-8 encoding of the controls U+0080 to U+009F.
  private static let lead: UInt8 = 0xC2
  private var hasLead = false

  /// Creates a filter for the start of a text.
  package init() {}

  /// Returns the escaped text of the next bytes.
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
