// SPDX-License-Identifier: Apache-2.0

internal import CGcrypt

/// How much work scrypt makes of a guess (RFC 7914).
package struct ScryptWork: Hashable, Sendable {
  /// The binary logarithm of the cost N.
  package var costExponent: Int
  /// The block size r; libgcrypt knows this one alone.
  package let blockSize = 8
  /// The parallelization p.
  package var parallelization: Int

  /// Takes the three numbers; nil if RFC 7914, libgcrypt (a block size of 8) or this machine's memory (at most 256 MiB) do
  /// not allow them.
  package init?(costExponent: Int, blockSize: Int, parallelization: Int) {
    guard (1...24).contains(costExponent), blockSize == self.blockSize, (1...64).contains(parallelization),
      (128 * blockSize) << costExponent <= 256 << 20
    else { return nil }
    self.costExponent = costExponent
    self.parallelization = parallelization
  }

  /// 64 MiB for each guess.
  package static let standard = ScryptWork(unchecked: 16)

  private init(unchecked costExponent: Int) {
    self.costExponent = costExponent
    parallelization = 1
  }
}

/// A digest that is slow and large to compute, for what a person can remember (libgcrypt's `GCRY_KDF_SCRYPT`).
package enum Scrypt {
  /// The digest of a secret with a salt.
  package static func digest(
    of secret: UnsafeRawBufferPointer,
    salt: [UInt8],
    work: ScryptWork,
    bytes count: Int = 32
  ) throws(DigestError) -> [UInt8] {
    try Gcrypt.start()
    var digest = [UInt8](repeating: 0, count: count)
    // The cost N has the place of another algorithm's number, and the block size none.
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

  /// Whether two digests are the same, in a time that depends on their length only.
  package static func areSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && darkroom_gcrypt_are_same(one, other, UInt(one.count)) == 1
  }
}
