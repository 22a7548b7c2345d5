// SPDX-License-Identifier: Apache-2.0

/// The error with which a call fails that the policy does not allow.
package enum DenialErrno: String, CaseIterable, Sendable, Hashable {
  /// The call fails with `EPERM`, and the filter notifies the host.
  case notPermitted = "EPERM"
  /// The call fails with `ENOSYS`, as on a kernel without the call.
  case notImplemented = "ENOSYS"
  /// The call fails with `EOPNOTSUPP`, as on a file system without the feature.
  case notSupported = "EOPNOTSUPP"
}

extension DenialErrno {
  /// The calls that fail with an error other than `EPERM` if no rule allows them.
  ///
  /// - `clone3`: a filter cannot see its flags, which are in memory. C libraries fall back to clone(2).
  /// - extended attributes: programs that copy or list files ignore missing support, and report denied
  ///   access.
  /// - `sysinfo`: it reveals the host's uptime, load and memory. C libraries work without the amount of
  ///   memory.
  package static let exceptions: KeyValuePairs<String, DenialErrno> = [
    "clone3": .notImplemented, "setxattr": .notSupported, "lsetxattr": .notSupported,
    "fsetxattr": .notSupported,
    "setxattrat": .notSupported, "getxattr": .notSupported, "lgetxattr": .notSupported,
    "getxattrat": .notSupported, "listxattr": .notSupported, "llistxattr": .notSupported,
    "listxattrat": .notSupported, "sysinfo": .notImplemented,
  ]

  /// The reason for an error other than `EPERM`, as part of a sentence, or `nil` for `EPERM`.
  package var reason: String? {
    switch self {
    case .notPermitted: nil
    case .notImplemented:
      "the error means that the kernel lacks the call, for which C libraries have a fallback"
    case .notSupported: "the error means that attributes are unsupported, which programs handle"
    }
  }
}
