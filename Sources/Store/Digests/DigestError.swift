// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// Why there is no digest.
package enum DigestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// libgcrypt refused a call: memory has run out, it is in a mode without the algorithm, or it is an older one.
  case refused(call: String)
  /// The bytes could not be read.
  case unreadable(SystemCallError)

  /// A sentence with the mend.
  package var description: String {
    switch self {
    case .refused(let call):
      "libgcrypt's \(call) failed; see that memory is left, that libgcrypt20 is the installed version, and that it is not in FIPS mode (/proc/sys/crypto/fips_enabled), which has no scrypt"
    case .unreadable(let error): "the bytes to digest can't be read: \(error)"
    }
  }
}
