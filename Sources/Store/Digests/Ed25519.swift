// SPDX-License-Identifier: Apache-2.0

internal import CGcrypt

/// A private key for Ed25519 signatures (RFC 8032).
package struct Ed25519PrivateKey: Sendable {
  /// The 32-byte seed from which the key is derived.
  private let seed: [UInt8]
  /// The public key that verifies signatures of this key.
  package let publicKey: Ed25519PublicKey

  /// Creates a key from a 32-byte seed, which must be unpredictable.
  package init(seed: [UInt8]) throws(DigestError) {
    precondition(seed.count == Ed25519PublicKey.length, "a seed has 32 bytes")
    try Gcrypt.initialize()
    var bytes = [UInt8](repeating: 0, count: Ed25519PublicKey.length)
    guard darkroom_ed25519_public_key(seed, &bytes) == 1 else { throw .refused(call: "gcry_mpi_ec_new") }
    self.seed = seed
    publicKey = Ed25519PublicKey(bytes: bytes)
  }

  /// Returns the 64-byte signature of a message.
  package func signature(of message: [UInt8]) throws(DigestError) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: Ed25519PublicKey.signatureLength)
    guard let length = Int32(exactly: message.count),
      darkroom_ed25519_sign(seed, publicKey.bytes, message, length, &signature) == 1
    else { throw .refused(call: "gcry_pk_sign") }
    return signature
  }
}

/// A public key that verifies Ed25519 signatures (RFC 8032).
package struct Ed25519PublicKey: Hashable, Sendable {
  /// The encoded point, 32 bytes.
  package let bytes: [UInt8]

  /// The length of a key in bytes.
  static let length = 32
  /// The length of a signature in bytes.
  static let signatureLength = 64

  /// Creates a key from a 32-byte encoded point. If the point is not on the curve, no signature verifies.
  package init(bytes: [UInt8]) {
    precondition(bytes.count == Self.length, "an encoded point has 32 bytes")
    self.bytes = bytes
  }

  /// Whether the signature is a valid signature of the message by the matching private key.
  package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard signature.count == Self.signatureLength, let length = Int32(exactly: message.count),
      (try? Gcrypt.initialize()) != nil
    else { return false }
    return darkroom_ed25519_verify(bytes, message, length, signature) == 1
  }
}
