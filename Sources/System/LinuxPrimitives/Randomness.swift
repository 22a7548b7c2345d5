// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Cryptographically secure random bytes (getrandom(2)).
package enum Randomness {
  /// Returns `count` random bytes. The maximum is 256, which the kernel returns in a single call.
  package static func bytes(_ count: Int) -> [UInt8] {
    precondition(count <= 256, "getrandom(2) returns at most 256 bytes in a single call")
    var bytes = [UInt8](repeating: 0, count: count)
    if getrandom(&bytes, count, 0) == count { return bytes }
    // Signals do not interrupt requests of this size, so the call is refused. The file returns the same bytes
    // (random(4)).
    guard let file = try? FileSystem.open("/dev/urandom", .read),
      case .bytes(count)? = try? bytes.withUnsafeMutableBytes({ try file.read(into: $0) })
    else { fatalError("the kernel returns no random bytes") }
    return bytes
  }

  /// Returns `count` random bytes as hexadecimal digits.
  package static func hexadecimal(bytes count: Int) -> String { hexadecimalText(bytes(count)) }
}

/// Returns bytes as lower-case hexadecimal digits.
///
/// The parameter is an array, not a generic collection. For a generic collection, the runtime would search
/// all types of the program for the iterator type, which took a tenth of a millisecond at each start of a
/// command.
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

/// Returns the digit of a number below 16.
private func digit(_ number: UInt8) -> UInt8 {
  number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
}
