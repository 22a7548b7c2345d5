// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// Why there is no digest.
package enum DigestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// libcrypto refused a call; the algorithm is missing from its providers or memory has run out.
  case refused(call: String)
  /// The bytes could not be read.
  case unreadable(SystemCallError)

  /// A sentence with the mend.
  package var description: String {
    switch self {
    case .refused(let call):
      "libcrypto's \(call) failed; see that memory is left and that /etc/ssl/openssl.cnf leaves a provider with SHA-256 and scrypt active"
    case .unreadable(let error): "the bytes to digest can't be read: \(error)"
    }
  }
}
