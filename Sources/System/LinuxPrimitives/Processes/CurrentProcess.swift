// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The process that this code runs in.
package enum CurrentProcess {
  /// The real user.
  package static var userID: UInt32 { getuid() }
  /// The effective user.
  package static var effectiveUserID: UInt32 { geteuid() }
  /// The effective group.
  package static var effectiveGroupID: UInt32 { getegid() }
  /// The number of the process.
  package static var processID: Int32 { getpid() }

  /// The number of the calling thread (gettid(2)).
  package static var threadID: Int32 { gettid() }

  /// Whether this is the thread that the process began with.
  package static var isMainThread: Bool { threadID == processID }

  /// Whether the process is in groups beside its own (getgroups(2)).
  package static var hasSupplementaryGroups: Bool {
    var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
    let count = getgroups(Int32(groups.count), &groups)
    return groups.prefix(Int(max(0, count))).contains { $0 != getegid() }
  }

  /// The nice value of the process, whatever its threads have made of theirs (getpriority(2)).
  package static var nice: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(getpid())) }

  /// The value of an environment variable, or nil.
  package static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Sets an environment variable that has no value yet. Only before there is a second thread: getenv(3) locks nothing.
  package static func setEnvironmentDefault(_ name: String, _ value: String) { setenv(name, value, 0) }

  /// The path of the program that is running (`/proc/self/exe`).
  package static func executablePath() throws(SystemCallError) -> String {
    try FileSystem.realPath("/proc/self/exe")
  }

  /// The current directory.
  package static func workingDirectory() throws(SystemCallError) -> String { try FileSystem.realPath(".") }

  /// Whether a descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
}
