// SPDX-License-Identifier: Apache-2.0

internal import CGcrypt

/// The cost parameters of scrypt (RFC 7914).
package struct ScryptParameters: Hashable, Sendable {
  /// The binary logarithm of the cost parameter N.
  package var costExponent: Int
  /// The block size parameter r. libgcrypt supports only 8.
  package let blockSize = 8
  /// The parallelization parameter p.
  package var parallelization: Int

  /// Creates parameters, or returns `nil` if they are outside the supported ranges.
  ///
  /// The limits are those of RFC 7914, the block size of libgcrypt (8), and 256 MiB of memory.
  package init?(costExponent: Int, blockSize: Int, parallelization: Int) {
    guard (1...24).contains(costExponent), blockSize == self.blockSize, (1...64).contains(parallelization),
      (128 * blockSize) << costExponent <= 256 << 20
    else { return nil }
    self.costExponent = costExponent
    self.parallelization = parallelization
  }

  /// The default parameters, which need 64 MiB of memory for each guess.
  package static let standard = ScryptParameters(unchecked: 16)

  private init(unchecked costExponent: Int) {
    self.costExponent = costExponent
    parallelization = 1
  }
}

/// The memory-hard key derivation function scrypt, for secrets that a user can remember (`GCRY_KDF_SCRYPT`).
package enum Scrypt {
  /// Returns the key derived from a secret and a salt.
  package static func digest(
    of secret: UnsafeRawBufferPointer,
    salt: [UInt8],
    work: ScryptParameters,
    bytes count: Int = 32
  ) throws(DigestError) -> [UInt8] {
    try Gcrypt.initialize()
    var digest = [UInt8](repeating: 0, count: count)
    // libgcrypt takes N as the subalgorithm number and has no argument for the block size.
    let fault = gcry_kdf_derive(
      secret.baseAddress,
      secret.count,
      Int32(GCRY_KDF_SCRYPT.rawValue),
      1 << Int32(work.costExponent),
      salt,
      salt.count,
      UInt(work.parallelization),
      count,
      &digest
    )
    guard fault == 0 else { throw .refused(call: "gcry_kdf_derive") }
    return digest
  }

  /// Whether two digests are equal. The time that the comparison takes depends only on their length.
  package static func constantTimeEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && darkroom_gcrypt_are_same(one, other, UInt(one.count)) == 1
  }
}
