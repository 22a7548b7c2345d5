// SPDX-License-Identifier: Apache-2.0

/// Ed25519 keys as PEM text (RFC 7468), compatible with `openssl pkey` (RFC 8410).
package enum SigningKeyText {
  /// The kinds of a key.
  package enum Kind: Sendable {
    /// A private key in PKCS #8: the 32-byte seed.
    case privateKey
    /// A public key as a SubjectPublicKeyInfo: 32 bytes.
    case publicKey

    fileprivate var label: String {
      switch self {
      case .privateKey: "PRIVATE KEY"
      case .publicKey: "PUBLIC KEY"
      }
    }

    /// The DER encoding that precedes the 32 bytes of the key. The object identifier is id-Ed25519.
    fileprivate var prefix: [UInt8] {
      switch self {
      case .privateKey:
        [0x30, 0x2E, 2, 1, 0, 0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 4, 0x22, 4, 0x20]
      case .publicKey: [0x30, 0x2A, 0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 3, 0x21, 0]
      }
    }
  }

  /// The length of a private or public key, in bytes.
  package static let length = 32

  /// Returns the DER encoding of a key.
  package static func der(_ key: [UInt8], _ kind: Kind) -> [UInt8] { kind.prefix + key }

  /// Returns the PEM encoding of a key.
  package static func encode(_ key: [UInt8], _ kind: Kind) -> String {
    """
    -----BEGIN \(kind.label)-----
    \(Base64.encode(der(key, kind)))
    -----END \(kind.label)-----

    """
  }

  /// Returns the bytes of a key, or `nil` if the text is not exactly one Ed25519 key of this kind.
  package static func decode(_ text: String, _ kind: Kind) -> [UInt8]? {
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    guard lines.count >= 3, lines.first == "-----BEGIN \(kind.label)-----",
      lines.last == "-----END \(kind.label)-----",
      let bytes = Base64.decode(lines.dropFirst().dropLast().joined()),
      bytes.count == kind.prefix.count + length, bytes.starts(with: kind.prefix)
    else { return nil }
    return Array(bytes.suffix(length))
  }
}
