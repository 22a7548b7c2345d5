// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// How large the files of another process can become (prlimit(2), `RLIMIT_FSIZE`).
extension ProcessFacts {
  /// What became of an attempt to move a limit.
  package enum LimitChange: Sendable {
    /// It was moved.
    case moved
    /// It stands elsewhere than where it was expected, or the process has ended.
    case left
    /// This user may not move it.
    case refused
  }

  /// Moves the process's soft limit, if it stands at `expected`. The hard one stays.
  package borrowing func moveFileSizeLimit(from expected: UInt64, to wanted: UInt64) -> LimitChange {
    let resource = Int32(RLIMIT_FSIZE.rawValue)
    var found = rlimit()
    guard darkroom_prlimit(process, resource, nil, &found) == 0 else { return refusal }
    // Only now is it known that the number was this process's when it was asked: its directory still speaks of it.
    guard UInt64(found.rlim_cur) == expected, pages != nil else { return .left }
    var limit = found
    limit.rlim_cur = min(rlim_t(wanted), found.rlim_max)
    guard limit.rlim_cur != found.rlim_cur else { return .left }
    return darkroom_prlimit(process, resource, &limit, nil) == 0 ? .moved : refusal
  }

  /// What the last call that failed means.
  private var refusal: LimitChange { Errno.current == .notPermitted ? .refused : .left }
}

/// The limits of processes that belong to another user than this one.
package enum ForeignLimits {
  /// Moves the soft limit on the size of a file of each of these processes, where it stands at `expected`, as the user
  /// whose they are; gives how many were moved, or at least 100. For root without `CAP_SYS_RESOURCE`.
  package static func moveFileSizeLimits(
    of processes: [Int32],
    user: UInt32,
    group: UInt32,
    from expected: UInt64,
    to wanted: UInt64
  ) throws(SystemCallError) -> Int {
    Int(
      try check("prlimit") {
        darkroom_move_file_size_limits_as(user, group, processes, processes.count, expected, wanted)
      }
    )
  }
}
