// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import LinuxPrimitives

/// A SHA-256 digest (FIPS 180-4).
package struct SHA256Digest: Hashable, Sendable, CustomStringConvertible {
  /// The length of a digest in bytes.
  static let size = 32

  /// The bytes of the digest (32).
  package let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The all-zero digest, which precedes the first entry of a digest chain. No input with this digest is
  /// known.
  package static let zero = SHA256Digest(bytes: [UInt8](repeating: 0, count: 32))

  /// Creates a digest from text in the form of ``description``, or returns `nil` if the text has any other
  /// form.
  package init?(_ text: String) {
    let prefix = "sha256:"
    guard text.hasPrefix(prefix), text.utf8.count == prefix.utf8.count + 64 else { return nil }
    let digits = text.utf8.dropFirst(prefix.utf8.count).compactMap(Self.hexadecimalValue)
    guard digits.count == 64 else { return nil }
    bytes = (0..<32).map { digits[2 * $0] << 4 | digits[2 * $0 + 1] }
  }

  private static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// The digest as `sha256:` and 64 lowercase hexadecimal digits.
  package var description: String { "sha256:" + hexadecimalText(bytes) }

  /// Whether all bytes are zero.
  private static func isZero(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress, bytes[0] == 0 else { return false }
    return memcmp(start, start + 1, bytes.count - 1) == 0
  }

  /// Returns the digest of bytes in memory.
  package static func of(_ bytes: [UInt8]) throws(DigestError) -> SHA256Digest {
    var hasher = try SHA256Hasher.make()
    hasher.update(bytes)
    return try hasher.finish()
  }

  /// Returns the digest of a file from the descriptor's position to its end, in constant memory.
  ///
  /// Holes of a sparse file are skipped, because reading them would fill the page cache with zeros.
  package static func of(_ descriptor: borrowing Descriptor) throws(DigestError) -> SHA256Digest {
    var hasher = try SHA256Hasher.make()
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 64)
    defer { chunk.deallocate() }
    while true {
      let outcome: ReadOutcome
      do { outcome = try descriptor.read(into: chunk) } catch { throw .unreadable(error) }
      switch outcome {
      case .bytes(let count):
        hasher.update(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        guard count == chunk.count, isZero(chunk) else { continue }
        var hole = descriptor.skipHole()
        while hole > 0 {
          let length = min(Int(clamping: hole), chunk.count)
          hasher.update(UnsafeRawBufferPointer(rebasing: chunk[..<length]))
          hole -= Int64(length)
        }
      case .end: return try hasher.finish()
      case .wouldBlock: throw .unreadable(SystemCallError("read", errno: .wouldBlock))
      }
    }
  }
}
