// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives

/// Processes that descend from another, and their share of memory.
enum ProcessTree {
  /// A process and all that descend from it.
  static func below(_ process: Int32) -> [Int32] {
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

  /// The processes that run this very file, by whatever path they know it.
  static func running(_ program: String) throws -> [Int32] {
    let file = try FileSystem.open(program, [.path]).status()
    return try FileSystem.names(in: "/proc").compactMap { Int32($0) }
      .filter { process in
        guard let own = try? FileSystem.open("/proc/\(process)/exe", [.path]).status() else { return false }
        return (own.device, own.inode) == (file.device, file.inode)
      }
  }

  /// The program that a process runs, as it sees it itself; empty where this user may not know.
  static func executable(of process: Int32) -> String {
    (try? FileSystem.linkTarget("/proc/\(process)/exe")) ?? ""
  }

  /// The share of memory of a process (`Pss` of /proc/PID/smaps_rollup), in KiB; 0 where this user may not know.
  static func kibibytes(of process: Int32) -> Double {
    let text = ((try? FileSystem.contents("/proc/\(process)/smaps_rollup")) ?? nil) ?? []
    let line = String(decoding: text, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Pss:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
  }
}
