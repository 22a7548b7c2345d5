// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The fields of a line of `/proc/self/mountinfo` that the doctor needs (proc_pid_mountinfo(5)).
struct MountLine: Sendable, Hashable {
  /// The path of the mount point.
  var target: String
  /// The type of the file system, for example `ext4`.
  var fileSystem: String

  /// Returns the mounts that the text of a mountinfo file lists.
  static func all(_ text: String) -> [MountLine] {
    text.split(separator: "\n").compactMap { line in
      let halves = line.split(separator: " ", omittingEmptySubsequences: false)
      guard halves.count > 4, let dash = halves.firstIndex(of: "-"), dash + 1 < halves.count else {
        return nil
      }
      return MountLine(target: String(halves[4]), fileSystem: String(halves[dash + 1]))
    }
  }

  /// Returns the mount that contains a path: the last mount among those with the longest matching mount
  /// point.
  static func containing(_ path: String, in lines: [MountLine]) -> MountLine? {
    lines.enumerated().filter { entry in
      let target = entry.element.target
      return target == "/" || path == target || path.hasPrefix(target + "/")
    }.max { ($0.element.target.utf8.count, $0.offset) < ($1.element.target.utf8.count, $1.offset) }?.element
  }
}

/// Reads files in which the kernel describes itself. A file that cannot be read is treated as absent.
enum KernelFiles {
  /// Returns the text of a file, or `nil` if it cannot be read.
  static func text(_ path: String) -> String? {
    // Files in /proc report a size of 0, so the file is read to its end.
    guard let bytes = try? FileSystem.open(path, .read).readAll(limit: 1 << 24) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the first line of a file without leading white space. Security modules end their files with a
  /// zero byte.
  static func firstLine(_ path: String) -> String? {
    text(path).map { String($0.drop { $0.isWhitespace }.prefix { !$0.isNewline && $0 != "\0" }) }
  }

  /// Returns the integer in a file, or `nil` if the file does not contain one.
  static func integer(_ path: String) -> Int? { firstLine(path).flatMap { Int($0) } }

  /// Returns the value of a field of a status file, for example `Seccomp` (proc_pid_status(5)).
  static func field(_ name: String, of status: String) -> String? {
    for line in status.split(separator: "\n") where line.hasPrefix("\(name):") {
      return String(line.dropFirst(name.count + 1).drop { $0.isWhitespace })
    }
    return nil
  }
}
