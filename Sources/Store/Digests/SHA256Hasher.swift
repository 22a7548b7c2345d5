// SPDX-License-Identifier: Apache-2.0

internal import CGcrypt

/// An incremental SHA-256 computation (`GCRY_MD_SHA256` of libgcrypt).
package struct SHA256Hasher: ~Copyable {
  private let handle: gcry_md_hd_t

  private init(owning handle: gcry_md_hd_t) { self.handle = handle }

  deinit { gcry_md_close(handle) }

  /// Returns a hasher that has processed no bytes.
  package static func make() throws(DigestError) -> SHA256Hasher {
    try Gcrypt.initialize()
    var handle: gcry_md_hd_t?
    guard gcry_md_open(&handle, Int32(GCRY_MD_SHA256.rawValue), 0) == 0, let handle else {
      throw .refused(call: "gcry_md_open")
    }
    return SHA256Hasher(owning: handle)
  }

  /// Processes the next bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    gcry_md_write(handle, bytes.baseAddress, bytes.count)
  }

  /// Processes the next bytes.
  package mutating func update(_ bytes: [UInt8]) { gcry_md_write(handle, bytes, bytes.count) }

  /// Returns the digest of all processed bytes.
  package consuming func finish() throws(DigestError) -> SHA256Digest {
    // libgcrypt owns the result until the handle is closed.
    guard let bytes = gcry_md_read(handle, Int32(GCRY_MD_SHA256.rawValue)) else {
      throw .refused(call: "gcry_md_read")
    }
    return SHA256Digest(bytes: Array(UnsafeBufferPointer(start: bytes, count: SHA256Digest.size)))
  }
}
