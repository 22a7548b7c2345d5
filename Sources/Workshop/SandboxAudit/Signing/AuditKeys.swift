// SPDX-License-Identifier: Apache-2.0

package import Digests
internal import LaunchPlanning
package import LinuxPrimitives

/// The files of signing keys.
package enum AuditKeys {
  /// The maximum size of a key file, in bytes.
  private static let limit = 4096

  /// Creates a key pair: the private key in `path`, and the public key in `path.pub`. Existing files are not
  /// replaced.
  package static func create(_ path: String) throws(AuditKeyError) {
    let seed = Randomness.bytes(SigningKeyText.length)
    let key = try key(from: seed)
    try write(SigningKeyText.encode(seed, .privateKey), to: path, mode: 0o600)
    try write(SigningKeyText.encode(key.publicKey.bytes, .publicKey), to: "\(path).pub", mode: 0o644)
  }

  /// Returns the private key in a PEM file.
  package static func privateKey(at path: String) throws(AuditKeyError) -> Ed25519PrivateKey {
    let text: [UInt8]?
    do { text = try FileSystem.contents(path, limit: limit) } catch {
      throw .unreadable(error)
    }
    guard let text, let seed = SigningKeyText.decode(String(decoding: text, as: UTF8.self), .privateKey)
    else { throw .notPrivateKey(path) }
    return try key(from: seed)
  }

  /// Returns the key ID of a public key: the SHA-256 of its DER encoding.
  package static func keyID(of key: Ed25519PublicKey) throws(AuditKeyError) -> String {
    do { return "\(try SHA256Digest.of(SigningKeyText.der(key.bytes, .publicKey)))" } catch {
      throw .library(error)
    }
  }

  private static func key(from seed: [UInt8]) throws(AuditKeyError) -> Ed25519PrivateKey {
    do { return try Ed25519PrivateKey(seed: seed) } catch { throw .library(error) }
  }

  private static func write(_ text: String, to path: String, mode: UInt32) throws(AuditKeyError) {
    do {
      let file = try FileSystem.open(path, [.write, .create, .exclusive], mode: mode)
      try file.writeAll(Array(text.utf8))
    } catch { throw .notWritten(error) }
  }
}

/// An error of a signing key.
package enum AuditKeyError: Error, CustomStringConvertible {
  /// The private key cannot be read.
  case unreadable(SystemCallError)
  /// The file at this path is not an Ed25519 private key.
  case notPrivateKey(String)
  /// The key could not be written.
  case notWritten(SystemCallError)
  /// The cryptographic library failed.
  case library(any Error)

  /// The error message.
  package var description: String {
    switch self {
    case .unreadable(let error): "the private key cannot be read: \(error)"
    case .notPrivateKey(let path):
      "\(path): not an Ed25519 private key in PEM; create a key with 'darkroom audit --new-key FILE'"
    case .notWritten(let error):
      "the key could not be written: \(error)\(error.errno == .fileExists ? "; choose a file name that is not in use" : "")"
    case .library(let error): "\(error)"
    }
  }
}
