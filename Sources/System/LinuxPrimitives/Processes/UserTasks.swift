// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The processes and threads of this process's user, which the kernel counts together (`RLIMIT_NPROC`).
package enum UserTasks {
  /// Returns the current number, as far as `/proc` shows them.
  package static func count() throws(SystemCallError) -> Int {
    let user = CurrentProcess.userID
    var count = 0
    for name in try FileSystem.names(in: "/proc") where Int32(name) != nil {
      // The process has exited in the meantime.
      guard let status = (try? FileSystem.contents("/proc/\(name)/status")) ?? nil else { continue }
      let text = String(decoding: status, as: UTF8.self)
      guard field("Uid", text) == Int(user) else { continue }
      count += field("Threads", text) ?? 1
    }
    return count
  }

  /// Returns the hard limit of this process, or `nil` if it is unlimited.
  package static func hardLimit() throws(SystemCallError) -> UInt64? {
    var limit = rlimit()
    try check("getrlimit") { getrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &limit) }
    return limit.rlim_max == .max ? nil : UInt64(limit.rlim_max)
  }

  /// Returns the first number of a line of `/proc/PID/status`.
  private static func field(_ name: String, _ text: String) -> Int? {
    for line in text.split(separator: "\n") where line.hasPrefix("\(name):") {
      return line.dropFirst(name.utf8.count + 1).split(whereSeparator: { $0 == "\t" || $0 == " " }).first
        .flatMap { Int($0) }
    }
    return nil
  }
}
