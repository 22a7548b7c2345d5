// SPDX-License-Identifier: Apache-2.0

/// Functions that split the data of the tables, which is ASCII, into lines and words.
///
/// They process bytes instead of characters, so that a command reads a table in the time of a few system
/// calls.
enum TextLines {
  /// Returns the lines that are not comments.
  static func of(_ bytes: [UInt8], comment: UInt8) -> [ArraySlice<UInt8>] {
    pieces(of: bytes[...], between: UInt8(ascii: "\n")).filter { $0.first != comment }
  }

  /// Returns the words of a line.
  static func words(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    pieces(of: line, between: UInt8(ascii: " "))
  }

  /// Returns the non-empty pieces between separators.
  ///
  /// This is a loop, because the standard library's `split` is not specialized for these types. It called
  /// functions indirectly for each byte, and reading the tables took longer than proving a filter.
  static func pieces(of bytes: ArraySlice<UInt8>, between separator: UInt8) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    bytes.withUnsafeBufferPointer { buffer in
      let first = bytes.startIndex
      var start = 0
      for index in 0...buffer.count where index == buffer.count || buffer[index] == separator {
        if index > start { pieces.append(bytes[first + start..<first + index]) }
        start = index + 1
      }
    }
    return pieces
  }

  /// Returns the bytes before and after the first occurrence of a byte, or `nil` if it does not occur.
  static func halves(
    _ word: ArraySlice<UInt8>,
    at byte: UInt8
  ) -> (before: ArraySlice<UInt8>, after: ArraySlice<UInt8>)? {
    word.firstIndex(of: byte).map { (word[..<$0], word[($0 + 1)...]) }
  }

  /// Returns the bytes as a string.
  static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  /// Returns the value of a hexadecimal number with `0x` in front, or `nil` if the word is not one.
  static func hexadecimal(_ word: ArraySlice<UInt8>) -> UInt64? {
    guard word.count > 2 else { return nil }
    var number: UInt64 = 0
    for byte in word.dropFirst(2) {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
      default: return nil
      }
    }
    return number
  }
}
