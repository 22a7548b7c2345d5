// SPDX-License-Identifier: Apache-2.0

internal import CCrypto

/// Takes bytes piece by piece and gives their SHA-256 (libcrypto's `EVP_MD_CTX`).
package struct SHA256Hasher: ~Copyable {
  private let context: OpaquePointer

  private init(owning context: OpaquePointer) { self.context = context }

  deinit { EVP_MD_CTX_free(context) }

  /// A hasher that has seen nothing.
  package static func make() throws(DigestError) -> SHA256Hasher {
    guard let context = EVP_MD_CTX_new() else { throw .refused(call: "EVP_MD_CTX_new") }
    let hasher = SHA256Hasher(owning: context)
    guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      throw .refused(call: "EVP_DigestInit_ex")
    }
    return hasher
  }

  /// Takes the next bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) throws(DigestError) {
    guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
      throw .refused(call: "EVP_DigestUpdate")
    }
  }

  /// Takes the next bytes.
  package mutating func update(_ bytes: [UInt8]) throws(DigestError) {
    guard EVP_DigestUpdate(context, bytes, bytes.count) == 1 else { throw .refused(call: "EVP_DigestUpdate") }
  }

  /// The digest of all bytes taken.
  package consuming func finish() throws(DigestError) -> SHA256Digest {
    var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard EVP_DigestFinal_ex(context, &bytes, &count) == 1 else {
      throw .refused(call: "EVP_DigestFinal_ex")
    }
    return SHA256Digest(bytes: Array(bytes.prefix(Int(count))))
  }
}
