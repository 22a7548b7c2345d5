// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A line of `/proc/self/mountinfo` (proc_pid_mountinfo(5)), as far as the doctor wants it.
struct MountLine: Sendable, Hashable {
  /// Where it is mounted.
  var target: String
  /// The type of the file system.
  var fileSystem: String

  /// Reads all lines.
  static func all(_ text: String) -> [MountLine] {
    text.split(separator: "\n").compactMap { line in
      let halves = line.split(separator: " ", omittingEmptySubsequences: false)
      guard halves.count > 4, let dash = halves.firstIndex(of: "-"), dash + 1 < halves.count else {
        return nil
      }
      return MountLine(target: String(halves[4]), fileSystem: String(halves[dash + 1]))
    }
  }

  /// The mount that a path lies on: the last one of those with the longest name.
  static func holding(_ path: String, in lines: [MountLine]) -> MountLine? {
    lines.enumerated().filter { entry in
      let target = entry.element.target
      return target == "/" || path == target || path.hasPrefix(target + "/")
    }.max { ($0.element.target.utf8.count, $0.offset) < ($1.element.target.utf8.count, $1.offset) }?.element
  }
}

/// The files in which the kernel tells of itself. What cannot be read is not there.
enum KernelTexts {
  /// The whole text of a file.
  static func text(_ path: String) -> String? {
    // Files of /proc have no length, so that they are read to their end.
    guard let bytes = try? FileSystem.open(path, .read).readAll(limit: 1 << 24) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A text without the white space around it; the security modules end theirs with a zero byte.
  static func word(_ path: String) -> String? {
    text(path).map { String($0.drop { $0.isWhitespace }.prefix { !$0.isNewline && $0 != "\0" }) }
  }

  /// A whole number.
  static func number(_ path: String) -> Int? { word(path).flatMap { Int($0) } }

  /// The value of a line such as `Seccomp:	2` of a status file (proc_pid_status(5)).
  static func field(_ name: String, of status: String) -> String? {
    for line in status.split(separator: "\n") where line.hasPrefix("\(name):") {
      return String(line.dropFirst(name.count + 1).drop { $0.isWhitespace })
    }
    return nil
  }
}
