// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Where file systems are mounted for this process (proc_pid_mountinfo(5)).
struct MountPoints: Sendable {
  /// The paths, written as the kernel writes them; nil if they could not be read.
  private let paths: [ArraySlice<UInt8>]?

  /// Reads the kernel's table; nil: it could not be read.
  init(table: [UInt8]?) {
    paths = table?.split(separator: 0x0A).compactMap { line in
      let fields = line.split(separator: 0x20, maxSplits: 5)
      return fields.count > 4 ? fields[4] : nil
    }
  }

  /// Whether something is mounted below a directory; also if that cannot be found out. `real` is its true name, where it
  /// is known.
  func arePresent(below path: String, real: String? = nil) -> Bool {
    guard let paths, let real = real ?? (try? FileSystem.realPath(path)) else { return true }
    // The kernel writes these as numbers; no directory that is worth the trouble has them in its name.
    guard !real.utf8.contains(where: { $0 <= 0x20 || $0 == 0x5C }) else { return true }
    let prefix = Array((real == "/" ? "/" : real + "/").utf8)
    return paths.contains { $0.starts(with: prefix) }
  }
}
