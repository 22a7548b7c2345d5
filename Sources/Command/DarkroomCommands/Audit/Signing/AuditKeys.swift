// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import LaunchPlanning
internal import LinuxPrimitives

/// The files of signing keys.
enum AuditKeys {
  /// The maximum size of a key file, in bytes.
  private static let limit = 4096

  /// Creates a key pair: the private key in `path`, and the public key in `path.pub`. Existing files are not
  /// replaced.
  static func create(_ path: String) throws(CommandFailure) {
    let seed = Randomness.bytes(SigningKeyText.length)
    let key = try key(from: seed)
    try write(SigningKeyText.encode(seed, .privateKey), to: path, mode: 0o600)
    try write(SigningKeyText.encode(key.publicKey.bytes, .publicKey), to: "\(path).pub", mode: 0o644)
  }

  /// Returns the private key in a PEM file.
  static func privateKey(at path: String) throws(CommandFailure) -> Ed25519PrivateKey {
    let text: [UInt8]?
    do { text = try FileSystem.contents(path, limit: limit) } catch {
      throw CommandFailure(.missing, "the private key cannot be read: \(error)")
    }
    guard let text, let seed = SigningKeyText.decode(String(decoding: text, as: UTF8.self), .privateKey)
    else {
      throw CommandFailure(
        .data,
        "\(path): not an Ed25519 private key in PEM; create one with 'darkroom audit --new-key FILE'"
      )
    }
    return try key(from: seed)
  }

  /// Returns the key ID of a public key: the SHA-256 of its DER encoding.
  static func keyID(of key: Ed25519PublicKey) throws(CommandFailure) -> String {
    do { return "\(try SHA256Digest.of(SigningKeyText.der(key.bytes, .publicKey)))" } catch {
      throw CommandFailure(.machine, "\(error)")
    }
  }

  private static func key(from seed: [UInt8]) throws(CommandFailure) -> Ed25519PrivateKey {
    do { return try Ed25519PrivateKey(seed: seed) } catch { throw CommandFailure(.machine, "\(error)") }
  }

  private static func write(_ text: String, to path: String, mode: UInt32) throws(CommandFailure) {
    do {
      let file = try FileSystem.open(path, [.write, .create, .exclusive], mode: mode)
      try file.writeAll(Array(text.utf8))
    } catch {
      throw CommandFailure(.output, "the key could not be written: \(error); name a file that does not exist")
    }
  }
}
