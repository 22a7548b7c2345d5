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
  package static var processID: Int32 { getpid() }

  /// The ID of the calling thread (gettid(2)).
  package static var threadID: Int32 { gettid() }

  /// Whether the calling thread is the main thread.
  package static var isMainThread: Bool { threadID == processID }

  /// Whether the process has supplementary groups other than its effective group (getgroups(2)).
  package static var hasSupplementaryGroups: Bool {
    var groups = [gid_t](repeating: 0, count: supplementaryGroupCount)
    let count = getgroups(Int32(groups.count), &groups)
    return groups.prefix(Int(max(0, count))).contains { $0 != getegid() }
  }

  /// The number of supplementary groups (getgroups(2)).
  package static var supplementaryGroupCount: Int { Int(max(0, getgroups(0, nil))) }

  /// The nice value of the process. Threads can have other nice values (getpriority(2)).
  package static var nice: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(getpid())) }

  /// The arguments of the process, with the name of the program first.
  ///
  /// Reading `CommandLine.arguments` takes 0.1 ms more, which is noticeable in a short command.
  package static var arguments: [String] {
    var count: Int32 = 0
    let words = darkroom_arguments(&count)
    return (0..<Int(count)).map { String(cString: words[$0]) }
  }

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

extension CurrentProcess {
  /// Makes the calling thread run, read and write only when the machine is idle (setpriority(2),
  /// ioprio_set(2) with `IOPRIO_CLASS_IDLE`). A refusal of the kernel is ignored.
  package static func useIdlePriority() { _ = darkroom_use_idle_priority() }
}

extension CurrentProcess {
  /// Returns the name of a user (getpwuid_r(3)), or `nil` if the user has no name.
  package static func userName(_ user: UInt32) -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16384)
    guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.pw_name
    else { return nil }
    return String(cString: name)
  }
}

extension CurrentProcess {
  /// Exits this process (exit(3)).
  package static func end(_ code: Int32) -> Never { exit(code) }

  /// Makes the C library, and therefore `print`, write each line of standard output when the line is complete
  /// (setvbuf(3)).
  ///
  /// The default for pipes and files is a full buffer, which is lost if the process is terminated by a signal.
  package static func bufferOutputByLine() { darkroom_buffer_output_by_line() }

  /// Writes a line to standard error. Failures are ignored because they cannot be reported.
  package static func writeToStandardError(_ sentence: String) {
    let error = Descriptor(owning: 2)
    try? error.writeAll(Array((sentence + "\n").utf8))
    _ = error.release()
  }
}
