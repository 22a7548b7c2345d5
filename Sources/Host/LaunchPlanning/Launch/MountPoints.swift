// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Where file systems are mounted for this process (proc_pid_mountinfo(5)).
package struct MountPoints: Sendable {
  /// The kernel's table; nil if it could not be read.
  package let table: [UInt8]?
  /// The paths in it, written as the kernel writes them.
  private let paths: [ArraySlice<UInt8>]?

  /// Reads the kernel's table; nil: it could not be read.
  init(table: [UInt8]?) {
    self.table = table
    paths = table?.split(separator: 0x0A).compactMap { line in
      let fields = line.split(separator: 0x20, maxSplits: 5)
      return fields.count > 4 ? fields[4] : nil
    }
  }

  /// Whether something is mounted below a directory; also if that cannot be found out. `real` is its true name, where it
  /// is known.
  func arePresent(below path: String, real: String? = nil) -> Bool {
    guard let paths, let real = real ?? (try? FileSystem.realPath(path)) else { return true }
    guard !Self.isWrittenAsNumbers(real) else { return true }
    let prefix = Self.prefix(real)
    return paths.contains { $0.starts(with: prefix) }
  }

  /// Whether something is mounted on the way from a directory to what lies in it, both by their true names; also if that
  /// cannot be found out.
  func arePresent(between directory: String, and inner: String) -> Bool {
    guard let paths, !Self.isWrittenAsNumbers(inner) else { return true }
    let (prefix, inner) = (Self.prefix(directory), Self.prefix(inner))
    return paths.contains { path in
      path.count >= prefix.count && path.starts(with: prefix) && path != [0x2F] && inner.starts(with: path)
        && inner[path.count] == 0x2F
    }
  }

  /// How the paths of all begin that lies in a directory.
  private static func prefix(_ directory: String) -> [UInt8] {
    Array((directory == "/" ? "/" : directory + "/").utf8)
  }

  /// Whether the kernel writes some of a path as numbers; no directory that is worth the trouble has such a name.
  private static func isWrittenAsNumbers(_ path: String) -> Bool {
    path.utf8.contains { $0 <= 0x20 || $0 == 0x5C }
  }
}
