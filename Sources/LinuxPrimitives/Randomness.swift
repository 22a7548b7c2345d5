// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Bytes that nobody can guess (getrandom(2)).
package enum Randomness {
  /// So many random bytes; at most 256, which the kernel gives in one piece.
  package static func bytes(_ count: Int) -> [UInt8] {
    precondition(count <= 256, "getrandom gives more than 256 bytes only in pieces")
    var bytes = [UInt8](repeating: 0, count: count)
    while getrandom(&bytes, count, 0) != count {}
    return bytes
  }

  /// So many random bytes as hexadecimal digits.
  package static func hexadecimal(bytes count: Int) -> String { hexadecimalText(bytes(count)) }
}

/// Bytes as lower-case hexadecimal digits.
package func hexadecimalText(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}
