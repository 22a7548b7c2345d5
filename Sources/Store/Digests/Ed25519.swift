// SPDX-License-Identifier: Apache-2.0

internal import CGcrypt

/// A key that makes Ed25519 signatures (RFC 8032).
package struct Ed25519PrivateKey: Sendable {
  /// The 32 bytes that the key is made of.
  private let seed: [UInt8]
  /// The key that verifies the signatures.
  package let publicKey: Ed25519PublicKey

  /// Creates a key from its seed, which has 32 bytes that nobody can guess.
  package init(seed: [UInt8]) throws(DigestError) {
    precondition(seed.count == Ed25519PublicKey.length, "a seed has 32 bytes")
    try Gcrypt.start()
    var bytes = [UInt8](repeating: 0, count: Ed25519PublicKey.length)
    guard darkroom_ed25519_public_key(seed, &bytes) == 1 else { throw .refused(call: "gcry_mpi_ec_new") }
    self.seed = seed
    publicKey = Ed25519PublicKey(bytes: bytes)
  }

  /// Returns the signature of a message: 64 bytes.
  package func signature(of message: [UInt8]) throws(DigestError) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: Ed25519PublicKey.signatureLength)
    guard let length = Int32(exactly: message.count),
      darkroom_ed25519_sign(seed, publicKey.bytes, message, length, &signature) == 1
    else { throw .refused(call: "gcry_pk_sign") }
    return signature
  }
}

/// A key that verifies Ed25519 signatures.
package struct Ed25519PublicKey: Hashable, Sendable {
  /// The encoded point: 32 bytes.
  package let bytes: [UInt8]

  /// The length of a key, in bytes.
  static let length = 32
  /// The length of a signature, in bytes.
  static let signatureLength = 64

  /// Creates a key from an encoded point of 32 bytes. A point that is not on the curve verifies nothing.
  package init(bytes: [UInt8]) {
    precondition(bytes.count == Self.length, "an encoded point has 32 bytes")
    self.bytes = bytes
  }

  /// Whether the private key has signed a message.
  package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard signature.count == Self.signatureLength, let length = Int32(exactly: message.count),
      (try? Gcrypt.start()) != nil
    else { return false }
    return darkroom_ed25519_verify(bytes, message, length, signature) == 1
  }
}
