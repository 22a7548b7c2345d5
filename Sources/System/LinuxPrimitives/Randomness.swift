// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Bytes that nobody can guess (getrandom(2)).
package enum Randomness {
  /// So many random bytes; at most 256, which the kernel gives in one piece.
  package static func bytes(_ count: Int) -> [UInt8] {
    precondition(count <= 256, "getrandom gives more than 256 bytes only in pieces")
    var bytes = [UInt8](repeating: 0, count: count)
    if getrandom(&bytes, count, 0) == count { return bytes }
    // A signal interrupts no request of this size, so something refuses the call. The file has the same bytes (random(4)).
    guard let file = try? FileSystem.open("/dev/urandom", .read),
      case .bytes(count)? = try? bytes.withUnsafeMutableBytes({ try file.read(into: $0) })
    else { fatalError("the kernel returns no random bytes") }
    return bytes
  }

  /// So many random bytes as hexadecimal digits.
  package static func hexadecimal(bytes count: Int) -> String { hexadecimalText(bytes(count)) }
}

/// Bytes as lower-case hexadecimal digits.
///
/// Of an array and not of any collection: to find out what another's iterator is, the runtime looks through all types of the
/// program, which was a tenth of a millisecond of each start of a command.
package func hexadecimalText(_ bytes: [UInt8]) -> String {
  String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
    var count = 0
    for byte in bytes {
      text[count] = digit(byte >> 4)
      text[count + 1] = digit(byte & 15)
      count += 2
    }
    return count
  }
}

/// The digit of a number below 16.
private func digit(_ number: UInt8) -> UInt8 {
  number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
}
