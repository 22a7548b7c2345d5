// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The mount points of this process (proc_pid_mountinfo(5)).
package struct MountPoints: Sendable {
  /// The text of the kernel's mount table, or `nil` if it could not be read.
  package let table: [UInt8]?
  /// The mount points with the kernel's octal escapes.
  private let paths: [ArraySlice<UInt8>]?

  /// Creates the mount points from the text of the kernel's mount table, or from `nil` if it could not be
  /// read.
  init(table: [UInt8]?) {
    self.table = table
    paths = table?.split(separator: 0x0A).compactMap { line in
      let fields = line.split(separator: 0x20, maxSplits: 5)
      return fields.count > 4 ? fields[4] : nil
    }
  }

  /// Returns whether a file system is mounted below a directory, or `true` if that is unknown. `real` is the
  /// real path of the directory, if it is known.
  func exist(below path: String, real: String? = nil) -> Bool {
    guard let paths, let real = real ?? (try? FileSystem.realPath(path)) else { return true }
    guard !Self.hasEscapedCharacters(real) else { return true }
    let prefix = Self.prefix(real)
    return paths.contains { $0.starts(with: prefix) }
  }

  /// Returns whether a file system is mounted between a directory and a path in it, or `true` if that is
  /// unknown. Both must be real paths.
  func exist(between directory: String, and inner: String) -> Bool {
    guard let paths, !Self.hasEscapedCharacters(inner) else { return true }
    let (prefix, inner) = (Self.prefix(directory), Self.prefix(inner))
    return paths.contains { path in
      path.count >= prefix.count && path.starts(with: prefix) && path != [0x2F] && inner.starts(with: path)
        && inner[path.count] == 0x2F
    }
  }

  /// Returns the prefix of all paths in a directory.
  private static func prefix(_ directory: String) -> [UInt8] {
    Array((directory == "/" ? "/" : directory + "/").utf8)
  }

  /// Returns whether the kernel escapes characters of the path as octal numbers. Such directory names are
  /// rare, so escapes are not decoded.
  private static func hasEscapedCharacters(_ path: String) -> Bool {
    path.utf8.contains { $0 <= 0x20 || $0 == 0x5C }
  }
}
