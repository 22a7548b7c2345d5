// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A message about a key, which may be part of a password. It is never converted to a string, and its bytes
/// are wiped after use.
package struct KeyPacket {
  private let bytes: WipedBytes
  private var count = 0

  /// The number of digits of the largest key number.
  private static let maximumDigits = 10

  /// Creates a message with the number of a key and, optionally, the text that it types.
  package init(_ word: HelperMessageKind, _ key: UInt32, _ text: UnsafeRawBufferPointer? = nil) {
    bytes = WipedBytes(count: 2 + Self.maximumDigits + (text?.count ?? 0))
    append(word.rawValue.asciiValue ?? 0)
    var unit: UInt32 = 1
    while key / unit >= 10 { unit *= 10 }
    while unit > 0 {
      append(UInt8(ascii: "0") + UInt8(key / unit % 10))
      unit /= 10
    }
    guard let text else { return }
    append(UInt8(ascii: " "))
    for byte in text { append(byte) }
  }

  private mutating func append(_ byte: UInt8) {
    bytes.memory[count] = byte
    count += 1
  }

  /// Calls `body` with the encoded bytes.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(UnsafeRawBufferPointer(rebasing: bytes.memory[..<count]))
  }
}
