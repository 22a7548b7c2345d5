// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// What this process was given by whoever started it, and what no session of it can leave behind.
extension CurrentProcess {
  /// The limit that this process cannot raise (getrlimit(2), `rlim_max`), by the kernel's number of the resource; nil
  /// if the kernel has no such resource.
  package static func hardLimit(of resource: Int32) -> UInt64? {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(resource), &limit) == 0 ? UInt64(limit.rlim_max) : nil
  }

  /// The limit that holds now (getrlimit(2), `rlim_cur`).
  package static func softLimit(of resource: Int32) -> UInt64? {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(resource), &limit) == 0 ? UInt64(limit.rlim_cur) : nil
  }

  /// What root means for this process. The corresponding option is `PR_GET_SECUREBITS`.
  package static var securebits: UInt32 { UInt32(max(0, darkroom_prctl(PR_GET_SECUREBITS, 0, 0, 0, 0))) }
}

/// What holds for everything on a mounted file system (statvfs(3), `f_flag`).
package struct MountFlags: OptionSet, Sendable, Hashable {
  /// The C library's bits.
  package let rawValue: UInt
  /// Wraps the C library's bits.
  package init(rawValue: UInt) { self.rawValue = rawValue }

  /// Nothing can be changed. The corresponding flag is `ST_RDONLY`.
  package static let readOnly = MountFlags(rawValue: 1)
  /// The set-user-ID bit means nothing. The corresponding flag is `ST_NOSUID`.
  package static let noSetUserID = MountFlags(rawValue: 2)
  /// No program can be executed. The corresponding flag is `ST_NOEXEC`.
  package static let noExecution = MountFlags(rawValue: 8)
}

extension FileSystem {
  /// What holds on the file system of `path`.
  package static func mountFlags(_ path: String) throws(SystemCallError) -> MountFlags {
    var result = statvfs()
    try check("statvfs", path: path) { statvfs(path, &result) }
    return MountFlags(rawValue: UInt(result.f_flag))
  }
}
