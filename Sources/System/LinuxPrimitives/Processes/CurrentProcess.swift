// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The current process.
package enum CurrentProcess {
  /// The real UID.
  package static var userID: UInt32 { getuid() }
  /// The effective UID.
  package static var effectiveUserID: UInt32 { geteuid() }
  /// The effective GID.
  package static var effectiveGroupID: UInt32 { getegid() }
  /// The process ID.
  package static var processID: Int32 { getpid() }

  /// The ID of the calling thread (gettid(2)).
  package static var threadID: Int32 { gettid() }

  /// Whether the calling thread is the main thread.
  package static var isMainThread: Bool { threadID == processID }

  /// Whether the process has supplementary groups other than its effective group (getgroups(2)).
  package static var hasSupplementaryGroups: Bool {
    var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
    let count = getgroups(Int32(groups.count), &groups)
    return groups.prefix(Int(max(0, count))).contains { $0 != getegid() }
  }

  /// The nice value of the process. Threads can have other nice values (getpriority(2)).
  package static var nice: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(getpid())) }

  /// Returns the value of an environment variable, or `nil` if it is not set.
  package static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Sets an environment variable unless it is set. Call it only while there is a single thread, because
  /// getenv(3) takes no lock.
  package static func setEnvironmentDefault(_ name: String, _ value: String) { setenv(name, value, 0) }

  /// Returns the path of the running program (`/proc/self/exe`).
  package static func executablePath() throws(SystemCallError) -> String {
    try FileSystem.realPath("/proc/self/exe")
  }

  /// Returns the current directory.
  package static func workingDirectory() throws(SystemCallError) -> String { try FileSystem.realPath(".") }

  /// Returns whether a descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
}
