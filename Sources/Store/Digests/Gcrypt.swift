// SPDX-License-Identifier: Apache-2.0

internal import CGcrypt

/// Initialization of libgcrypt, which computes digests, signatures and derived keys.
///
/// libgcrypt was chosen for the startup cost of a process that computes a single digest: libcrypto takes ten
/// times as long to load and to find its providers.
enum Gcrypt {
  private static let isReady = darkroom_gcrypt_start() == 1

  /// Initializes the library once per process.
  static func initialize() throws(DigestError) {
    guard isReady else { throw .refused(call: "gcry_check_version") }
  }
}
