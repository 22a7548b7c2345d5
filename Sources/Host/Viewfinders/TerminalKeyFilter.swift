// SPDX-License-Identifier: Apache-2.0

/// Filters the input of a terminal for keys. Replies of the terminal and keys that send several bytes are
/// dropped completely, so that no part of them is interpreted as a key.
package struct TerminalKeyFilter: Sendable {
  /// The position in an escape sequence (ECMA-48).
  private enum State {
    /// Outside of any sequence.
    case outside
    /// After `ESC`.
    case escape
    /// After an `ESC` that was the last received byte: either the start of a sequence, or the Escape key.
    case lastEscape
    /// After `ESC [`, until the final byte.
    case control
    /// After `ESC O`, before the final byte.
    case single
    /// In a control string, until `ESC \` or BEL. The value is the number of dropped bytes.
    case text(Int)
    /// In a control string, after another `ESC`.
    case textEscape(Int)
  }

  /// The maximum length of a control string that is dropped, in bytes.
  private static let longestText = 4096
  private static let escape: UInt8 = 0x1B

  private var state = State.outside

  /// Creates a filter outside of any sequence.
  package init() {}

  /// Returns the keys among bytes that follow those of the last call.
  package mutating func keys(_ bytes: [UInt8]) -> [UInt8] {
    let found = bytes.filter { isKey($0) }
    if case .escape = state { state = .lastEscape }
    return found
  }

  private mutating func isKey(_ byte: UInt8) -> Bool {
    switch (state, byte) {
    // CAN and SUB end every sequence.
    case (_, 0x18), (_, 0x1A): state = .outside
    case (.text(let count), Self.escape): state = .textEscape(count + 1)
    case (.textEscape, UInt8(ascii: "\\")), (.text, 0x07): state = .outside
    case (.text(let count), _), (.textEscape(let count), _):
      state = count < Self.longestText ? .text(count + 1) : .outside
    case (_, Self.escape): state = .escape
    case (.outside, _): return true
    case (.escape, _), (.lastEscape, _):
      let isLast = if case .lastEscape = state { true } else { false }
      state = Self.nextState(by: byte)
      if case .outside = state { return isLast }
    case (.control, 0x00...0x3F): break
    case (.control, _), (.single, _): state = .outside
    }
    return false
  }

  /// Returns the position after `ESC` and a second byte.
  private static func nextState(by byte: UInt8) -> State {
    switch byte {
    case UInt8(ascii: "["): .control
    case UInt8(ascii: "O"): .single
    case UInt8(ascii: "_"), UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "X"):
      .text(0)
    default: .outside
    }
  }
}
