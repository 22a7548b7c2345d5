// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The file size limit of another process (prlimit(2), `RLIMIT_FSIZE`).
extension ProcessFacts {
  /// The result of an attempt to change a limit.
  package enum LimitChange: Sendable {
    /// The limit was changed.
    case moved
    /// The limit does not have the expected value, or the process has exited.
    case unchanged
    /// This user may not change the limit.
    case refused
  }

  /// Changes the soft limit of the process if it has the value `expected`. The hard limit is not changed.
  package borrowing func moveFileSizeLimit(from expected: UInt64, to wanted: UInt64) -> LimitChange {
    let resource = Int32(RLIMIT_FSIZE.rawValue)
    var found = rlimit()
    guard darkroom_prlimit(process, resource, nil, &found) == 0 else { return refusal }
    // The process directory is still readable, so the PID belonged to this process when the limit was read.
    guard UInt64(found.rlim_cur) == expected, pages != nil else { return .unchanged }
    var limit = found
    limit.rlim_cur = min(rlim_t(wanted), found.rlim_max)
    guard limit.rlim_cur != found.rlim_cur else { return .unchanged }
    return darkroom_prlimit(process, resource, &limit, nil) == 0 ? .moved : refusal
  }

  /// The result for the last failed call.
  private var refusal: LimitChange { Errno.current == .notPermitted ? .refused : .unchanged }
}

/// The limits of processes of another user.
package enum ForeignLimits {
  /// Changes the soft file size limits of processes that have the value `expected`, with the UID of these
  /// processes. Returns the number of changed limits, or at least 100.
  ///
  /// This is needed for root without `CAP_SYS_RESOURCE`.
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
