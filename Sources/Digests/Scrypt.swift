// SPDX-License-Identifier: Apache-2.0

internal import CCrypto

/// How much work scrypt makes of a guess (RFC 7914).
package struct ScryptWork: Hashable, Sendable {
  /// The binary logarithm of the cost N.
  package var costExponent: Int
  /// The block size r.
  package var blockSize: Int
  /// The parallelization p.
  package var parallelization: Int

  /// Takes the three numbers; nil if RFC 7914 or this machine's memory (at most 256 MiB) do not allow them.
  package init?(costExponent: Int, blockSize: Int, parallelization: Int) {
    guard (1...24).contains(costExponent), (1...64).contains(blockSize), (1...64).contains(parallelization),
      (128 * blockSize) << costExponent <= 256 << 20
    else { return nil }
    self.costExponent = costExponent
    self.blockSize = blockSize
    self.parallelization = parallelization
  }

  /// 64 MiB for each guess.
  package static let standard = ScryptWork(unchecked: 16)

  private init(unchecked costExponent: Int) {
    self.costExponent = costExponent
    blockSize = 8
    parallelization = 1
  }
}

/// A digest that is slow and large to compute, for what a person can remember (libcrypto's `EVP_PBE_scrypt`).
package enum Scrypt {
  /// The digest of a secret with a salt.
  package static func digest(
    of secret: UnsafeRawBufferPointer,
    salt: [UInt8],
    work: ScryptWork,
    bytes count: Int = 32
  ) throws(DigestError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: count)
    let done = EVP_PBE_scrypt(
      secret.baseAddress?.assumingMemoryBound(to: CChar.self),
      secret.count,
      salt,
      salt.count,
      1 << UInt64(work.costExponent),
      UInt64(work.blockSize),
      UInt64(work.parallelization),
      512 << 20,
      &digest,
      count
    )
    guard done == 1 else { throw .refused(call: "EVP_PBE_scrypt") }
    return digest
  }

  /// Whether two digests are the same, in a time that depends on their length only (libcrypto's `CRYPTO_memcmp`).
  package static func areSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
  }
}
