// SPDX-License-Identifier: Apache-2.0

/// What a program is told where a call is not allowed.
package enum DenialAnswer: String, CaseIterable, Sendable, Hashable {
  /// The call fails with `EPERM`, and the host is told.
  case notPermitted = "EPERM"
  /// The call fails with `ENOSYS`, as on a kernel that has no such call.
  case notImplemented = "ENOSYS"
  /// The call fails with `EOPNOTSUPP`, as on a file system that has no such thing.
  case notSupported = "EOPNOTSUPP"
}

extension DenialAnswer {
  /// The calls whose answer is another than `EPERM` where no rule allows them in any way.
  ///
  /// The flags of clone3 are in memory, where a filter cannot see them; C libraries fall back to clone. Programs that
  /// copy or list files set and read attributes where they can, and take it for an error of theirs if they hear that they
  /// may not. What sysinfo(2) tells is the host's uptime, load and memory; C libraries that want the latter do without.
  package static let special: KeyValuePairs<String, DenialAnswer> = [
    "clone3": .notImplemented, "setxattr": .notSupported, "lsetxattr": .notSupported,
    "fsetxattr": .notSupported,
    "setxattrat": .notSupported, "getxattr": .notSupported, "lgetxattr": .notSupported,
    "getxattrat": .notSupported, "listxattr": .notSupported, "llistxattr": .notSupported,
    "listxattrat": .notSupported, "sysinfo": .notImplemented,
  ]

  /// Why the answer is another than `EPERM`, as part of a sentence; nil if it is not.
  package var reason: String? {
    switch self {
    case .notPermitted: nil
    case .notImplemented: "it is told that the kernel has no such call, upon which C libraries do without"
    case .notSupported: "it is told that there are no attributes, upon which programs do without"
    }
  }
}
