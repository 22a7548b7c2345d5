// SPDX-License-Identifier: Apache-2.0

internal import CGcrypt

/// Takes bytes piece by piece and gives their SHA-256 (libgcrypt's `GCRY_MD_SHA256`).
package struct SHA256Hasher: ~Copyable {
  private let handle: gcry_md_hd_t

  private init(owning handle: gcry_md_hd_t) { self.handle = handle }

  deinit { gcry_md_close(handle) }

  /// A hasher that has seen nothing.
  package static func make() throws(DigestError) -> SHA256Hasher {
    try Gcrypt.start()
    var handle: gcry_md_hd_t?
    guard gcry_md_open(&handle, Int32(GCRY_MD_SHA256.rawValue), 0) == 0, let handle else {
      throw .refused(call: "gcry_md_open")
    }
    return SHA256Hasher(owning: handle)
  }

  /// Takes the next bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    gcry_md_write(handle, bytes.baseAddress, bytes.count)
  }

  /// Takes the next bytes.
  package mutating func update(_ bytes: [UInt8]) { gcry_md_write(handle, bytes, bytes.count) }

  /// The digest of all bytes taken.
  package consuming func finish() throws(DigestError) -> SHA256Digest {
    // The library keeps them as long as the handle is open.
    guard let bytes = gcry_md_read(handle, Int32(GCRY_MD_SHA256.rawValue)) else {
      throw .refused(call: "gcry_md_read")
    }
    return SHA256Digest(bytes: Array(UnsafeBufferPointer(start: bytes, count: SHA256Digest.size)))
  }
}
