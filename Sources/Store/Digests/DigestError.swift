// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// An error of a digest, signature or key derivation.
package enum DigestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A libgcrypt call failed: out of memory, FIPS mode without the algorithm, or a libgcrypt that is too old.
  case refused(call: String)
  /// Reading the bytes to digest failed.
  case unreadable(SystemCallError)

  /// The error as text, with its fix.
  package var description: String {
    switch self {
    case .refused(let call):
      "\(call) of libgcrypt failed; check that memory is available, that libgcrypt20 is the installed version, and "
        + "that FIPS mode, which lacks scrypt, is off (/proc/sys/crypto/fips_enabled)"
    case .unreadable(let error): "the bytes to digest cannot be read: \(error)"
    }
  }
}
