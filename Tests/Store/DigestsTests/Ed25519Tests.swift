// SPDX-License-Identifier: Apache-2.0

import Digests
import Testing

@Suite struct Ed25519Tests {
  /// Parses hexadecimal digits.
  private func bytes(_ text: String) -> [UInt8] {
    let digits = text.compactMap { $0.hexDigitValue.map(UInt8.init) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// The first three examples of RFC 8032, section 7.1: seed, public key, message, signature.
  private static let examples = [
    (
      "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    ),
    (
      "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    ),
    (
      "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
    ),
  ]

  @Test(arguments: examples)
  func `signs and verifies the examples of RFC 8032`(
    seed: String,
    publicKey: String,
    message: String,
    signature: String
  ) throws {
    let key = try Ed25519PrivateKey(seed: bytes(seed))
    #expect(key.publicKey.bytes == bytes(publicKey))
    #expect(try key.signature(of: bytes(message)) == bytes(signature))
    #expect(key.publicKey.verifies(bytes(signature), of: bytes(message)))
  }

  @Test func `rejects a modified message, signature or key`() throws {
    let key = try Ed25519PrivateKey(seed: [UInt8](repeating: 7, count: 32))
    let message = [UInt8](repeating: 1, count: 1000)
    let signature = try key.signature(of: message)
    #expect(key.publicKey.verifies(signature, of: message))
    for index in signature.indices {
      var changed = signature
      changed[index] ^= 1
      #expect(!key.publicKey.verifies(changed, of: message))
    }
    for index in stride(from: 0, to: message.count, by: 97) {
      var changed = message
      changed[index] ^= 0x80
      #expect(!key.publicKey.verifies(signature, of: changed))
    }
    let other = try Ed25519PrivateKey(seed: [UInt8](repeating: 8, count: 32))
    #expect(!other.publicKey.verifies(signature, of: message))
    #expect(!key.publicKey.verifies([], of: message))
    #expect(!key.publicKey.verifies(Array(signature.dropLast()), of: message))
    // The point is not on the curve.
    #expect(!Ed25519PublicKey(bytes: [UInt8](repeating: 0xFF, count: 32)).verifies(signature, of: message))
  }
}
