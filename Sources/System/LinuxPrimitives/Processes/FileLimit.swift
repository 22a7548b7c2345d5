// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Synchronization

/// How many files this process may have open (getrlimit(2), `RLIMIT_NOFILE`). The kernel has one limit for the whole
/// process, so what is remembered of it is the process's, too.
package enum FileLimit {
  /// The soft limit that this process was started with, once it has raised its own.
  private static let before = Mutex<UInt64?>(nil)

  /// Lets the process open as many files as it ever may.
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

  /// How many files this process may have open now.
  package static var soft: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    return Int(clamping: limit.rlim_cur)
  }

  /// Gives a program that was just started the limit that this process was started with: programs that still use
  /// select(2) cannot have more files than it counts.
  static func giveBack(to process: Int32) {
    guard let given = before.withLock({ $0 }) else { return }
    var limit = rlimit()
    let resource = Int32(RLIMIT_NOFILE.rawValue)
    guard darkroom_prlimit(process, resource, nil, &limit) == 0 else { return }
    limit.rlim_cur = min(rlim_t(given), limit.rlim_max)
    _ = darkroom_prlimit(process, resource, &limit, nil)
  }
}
