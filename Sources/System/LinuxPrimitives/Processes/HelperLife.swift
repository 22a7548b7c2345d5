// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// What a helper program does about its own life.
package enum HelperLife {
  /// Ends this process when the thread that started it ends, keeps its memory from other processes of this user, and
  /// makes it the parent of what its children leave behind, so that who ends it finds all (prctl(2),
  /// `PR_SET_PDEATHSIG`, `PR_SET_DUMPABLE`, `PR_SET_CHILD_SUBREAPER`).
  package static func endWithParent() {
    _ = darkroom_prctl(PR_SET_PDEATHSIG, UInt(SIGKILL), 0, 0, 0)
    _ = darkroom_prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    _ = darkroom_prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
  }

  /// Lets this process, as long as it has one thread, make no other calls than a filter allows, for good, and gain no
  /// right (seccomp(2), `PR_SET_NO_NEW_PRIVS`). `filter` is an array of `struct sock_filter`, of at most 65,535.
  package static func keep(to filter: [UInt8]) throws(SystemCallError) {
    try check("prctl") { darkroom_keep_to_filter(filter, UInt16(clamping: filter.count / 8)) }
  }
}

extension CurrentProcess {
  /// The name of the real user (getpwuid(3)); nil if there is none.
  package static var userName: String? { getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } }
}
