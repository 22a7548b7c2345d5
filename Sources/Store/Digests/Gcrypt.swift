// SPDX-License-Identifier: Apache-2.0

internal import CGcrypt

/// The library that takes digests (libgcrypt).
///
/// It is chosen for what it costs a process that takes one digest: libcrypto needs ten times as long to be loaded and to
/// find its providers.
enum Gcrypt {
  private static let isReady = darkroom_gcrypt_start() == 1

  /// Makes the library ready, once in this process.
  static func start() throws(DigestError) {
    guard isReady else { throw .refused(call: "gcry_check_version") }
  }
}
