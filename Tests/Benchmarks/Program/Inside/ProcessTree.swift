// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives

/// The descendants of a process and their memory.
enum ProcessTree {
  /// Returns a process and all its descendants.
  static func descendants(_ process: Int32) -> [Int32] {
    var found = [process]
    var next = 0
    while next < found.count {
      if let facts = ProcessFacts(found[next]) {
        for thread in facts.threads { found += facts.children(of: thread) }
      }
      next += 1
    }
    return found
  }

  /// Returns the processes that run this file, under any path.
  static func running(_ program: String) throws -> [Int32] {
    let file = try FileSystem.open(program, [.path]).status()
    return try FileSystem.names(in: "/proc").compactMap { Int32($0) }
      .filter { process in
        guard let own = try? FileSystem.open("/proc/\(process)/exe", [.path]).status() else { return false }
        return (own.device, own.inode) == (file.device, file.inode)
      }
  }

  /// Returns the path of the executable as the process sees it, or an empty string without permission.
  static func executable(of process: Int32) -> String {
    (try? FileSystem.linkTarget("/proc/\(process)/exe")) ?? ""
  }

  /// Returns the proportional set size of a process in KiB (`Pss` of /proc/PID/smaps_rollup), or 0 without
  /// permission.
  static func kibibytes(of process: Int32) -> Double {
    let text = ((try? FileSystem.contents("/proc/\(process)/smaps_rollup")) ?? nil) ?? []
    let line = String(decoding: text, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Pss:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
  }
}
