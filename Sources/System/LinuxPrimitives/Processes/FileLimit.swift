// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Synchronization

/// The limit on open files of this process (getrlimit(2), `RLIMIT_NOFILE`). The limit applies to the whole
/// process, and so does the saved original.
package enum FileLimit {
  /// The soft limit before ``raise()``, or `nil` if it was not raised.
  private static let before = Mutex<UInt64?>(nil)

  /// Raises the soft limit to the hard limit.
  package static func raise() {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    before.withLock { before in
      var limit = rlimit()
      guard before == nil, getrlimit(resource, &limit) == 0 else { return }
      before = UInt64(limit.rlim_cur)
      limit.rlim_cur = limit.rlim_max
      setrlimit(resource, &limit)
    }
  }

  /// The current soft limit.
  package static var soft: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    return Int(clamping: limit.rlim_cur)
  }

  /// Sets the original soft limit of this process for a program that was just started. Programs that use
  /// select(2) cannot have more files than it supports.
  static func restoreOriginal(to process: Int32) {
    guard let given = before.withLock({ $0 }) else { return }
    var limit = rlimit()
    let resource = Int32(RLIMIT_NOFILE.rawValue)
    guard darkroom_prlimit(process, resource, nil, &limit) == 0 else { return }
    limit.rlim_cur = min(rlim_t(given), limit.rlim_max)
    _ = darkroom_prlimit(process, resource, &limit, nil)
  }
}
