// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Attributes that this process inherited, which its sessions cannot change.
extension CurrentProcess {
  /// Returns the hard limit of a resource (getrlimit(2), `rlim_max`), or `nil` if the kernel does not have
  /// the resource.
  package static func hardLimit(of resource: Int32) -> UInt64? {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(resource), &limit) == 0 ? UInt64(limit.rlim_max) : nil
  }

  /// Returns the soft limit of a resource (getrlimit(2), `rlim_cur`), or `nil` if the kernel does not have
  /// the resource.
  package static func softLimit(of resource: Int32) -> UInt64? {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(resource), &limit) == 0 ? UInt64(limit.rlim_cur) : nil
  }

  /// The securebits, which define the special treatment of UID 0. The corresponding option is
  /// `PR_GET_SECUREBITS`.
  package static var securebits: UInt32 { UInt32(max(0, darkroom_prctl(PR_GET_SECUREBITS, 0, 0, 0, 0))) }
}

/// The flags of a mounted file system (statvfs(3), `f_flag`).
package struct MountFlags: OptionSet, Sendable, Hashable {
  /// The C library's bits.
  package let rawValue: UInt
  /// Creates flags from the C library's bits.
  package init(rawValue: UInt) { self.rawValue = rawValue }

  /// The file system is read-only. The corresponding flag is `ST_RDONLY`.
  package static let readOnly = MountFlags(rawValue: 1)
  /// Set-user-ID bits are ignored. The corresponding flag is `ST_NOSUID`.
  package static let noSetUserID = MountFlags(rawValue: 2)
  /// Programs cannot be executed. The corresponding flag is `ST_NOEXEC`.
  package static let noExecution = MountFlags(rawValue: 8)
}

extension FileSystem {
  /// Returns the mount flags of the file system of `path`.
  package static func mountFlags(_ path: String) throws(SystemCallError) -> MountFlags {
    var result = statvfs()
    try check("statvfs", path: path) { statvfs(path, &result) }
    return MountFlags(rawValue: UInt(result.f_flag))
  }
}
