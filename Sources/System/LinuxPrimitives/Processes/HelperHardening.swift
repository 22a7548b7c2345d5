// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Hardening of a helper program, which the program applies to itself.
package enum HelperHardening {
  /// Ties this process to the thread that started it and protects its memory.
  ///
  /// The process is terminated when that thread exits, and other processes of this user cannot access its
  /// memory. It becomes the parent of its orphaned descendants, so that all of them can be found and
  /// terminated. The corresponding options of prctl(2) are `PR_SET_PDEATHSIG`, `PR_SET_DUMPABLE` and
  /// `PR_SET_CHILD_SUBREAPER`.
  package static func dieWithParent() {
    _ = darkroom_prctl(PR_SET_PDEATHSIG, UInt(SIGKILL), 0, 0, 0)
    _ = darkroom_prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    _ = darkroom_prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
  }

  /// Installs a filter and sets no_new_privs, irreversibly (seccomp(2), `PR_SET_NO_NEW_PRIVS`). The process
  /// must have a single thread.
  ///
  /// `filter` is an array of at most 65,535 `struct sock_filter`.
  package static func restrict(to filter: [UInt8]) throws(SystemCallError) {
    try check("prctl") { darkroom_install_filter(filter, UInt16(clamping: filter.count / 8)) }
  }
}

extension CurrentProcess {
  /// The name of the real user (getpwuid(3)), or `nil` if the user has no name.
  package static var userName: String? { getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } }
}
