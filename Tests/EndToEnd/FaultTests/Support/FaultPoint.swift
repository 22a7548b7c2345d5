// SPDX-License-Identifier: Apache-2.0

/// A call of a program below its directory, as the injector reports it.
struct FaultPoint: Sendable, Hashable {
  /// Its number.
  let number: Int
  /// The call.
  let call: String
  /// What it is about.
  let path: String

  /// Describes a call.
  init(number: Int, call: String, path: String) {
    self.number = number
    self.call = call
    self.path = path
  }

  /// Reads a line of a report.
  init?(_ line: Substring) {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, let number = Int(words[0]) else { return nil }
    self.number = number
    call = String(words[1])
    path = words.count > 2 ? String(words[2]) : ""
  }

  /// Whether the call can change what is on the disk. Whoever dies between two others leaves what the first has left.
  var isChanging: Bool { Self.changing.contains(call) }

  private static let changing: Set<String> = [
    "openat", "openat2", "open", "creat", "mkdirat", "mkdir", "mknodat", "renameat2", "renameat", "rename",
    "unlinkat",
    "unlink", "rmdir", "linkat", "link", "symlinkat", "symlink", "write", "pwrite64", "writev", "ftruncate",
    "truncate",
    "fallocate", "fchmod", "fchmodat", "fchmodat2", "chmod", "fchown", "fchownat", "chown", "utimensat",
    "fsetxattr",
    "fremovexattr", "copy_file_range", "sendfile", "ioctl",
  ]

  /// The call without what is random about its path: the same place in the code makes calls of one shape.
  var shape: String {
    var shape = ""
    var isInNumber = false
    for character in path {
      let isRandom = character.isHexDigit && !character.isLetter || "abcdef-".contains(character)
      if !isRandom { shape.append(character) } else if !isInNumber { shape.append("#") }
      isInNumber = isRandom
    }
    return "\(call) \(shape)"
  }

  /// How the call can fail: the errors that the kernel gives, the most telling first.
  var errors: [String] { Self.errors[call] ?? ["EIO"] }

  private static let errors: [String: [String]] = [
    "openat": ["ENOSPC", "EMFILE", "EIO", "ENFILE", "ENOMEM", "EACCES", "EROFS", "EDQUOT", "EINTR"],
    "openat2": ["EMFILE", "EIO", "ENFILE", "ENOMEM", "EACCES", "EINTR"],
    "open": ["EMFILE", "EIO", "ENOSPC"], "mkdirat": ["ENOSPC", "EDQUOT", "EIO", "EROFS", "ENOMEM", "EMLINK"],
    "mkdir": ["ENOSPC", "EIO"], "renameat2": ["ENOSPC", "EIO", "EPERM", "EROFS", "EDQUOT", "ENOMEM"],
    "renameat": ["ENOSPC", "EIO", "EPERM", "EROFS", "EDQUOT", "ENOMEM"], "flistxattr": ["EIO", "ENOMEM"],
    "statfs": ["EIO", "ENOMEM", "EINTR"], "readlink": ["EIO", "ENOMEM", "EACCES"],
    "ioctl": ["EIO", "ENOTTY"],
    "unlinkat": ["EIO", "EROFS", "EBUSY", "ENOMEM"], "unlink": ["EIO", "EROFS"], "rmdir": ["EIO", "EBUSY"],
    "fsync": ["EIO", "ENOSPC", "EDQUOT", "EINTR"], "fdatasync": ["EIO", "ENOSPC", "EDQUOT"],
    "syncfs": ["EIO", "ENOSPC", "EDQUOT"], "write": ["ENOSPC", "EIO", "EDQUOT", "EINTR", "EFBIG"],
    "pwrite64": ["ENOSPC", "EIO", "EDQUOT"], "ftruncate": ["EIO", "EINTR", "EFBIG"],
    "fallocate": ["ENOSPC", "EIO", "EINTR", "EDQUOT", "EOPNOTSUPP"], "fchmod": ["EIO", "EROFS", "EPERM"],
    "chmod": ["EIO", "EPERM"], "fchown": ["EIO", "EPERM", "EDQUOT"], "getdents64": ["EIO", "ENOMEM"],
    "newfstatat": ["EIO", "ENOMEM"], "fstat": ["EIO", "ENOMEM"], "read": ["EIO", "EINTR"], "pread64": ["EIO"],
    "copy_file_range": ["ENOSPC", "EIO", "EINTR", "EXDEV"], "flock": ["ENOLCK", "EINTR"],
    "fcntl": ["ENOLCK", "EAGAIN"], "close": ["EIO", "EINTR"], "faccessat2": ["EIO", "EROFS", "EACCES"],
  ]

  /// Whether it can do a part of its work only.
  var canBeShort: Bool {
    ["read", "pread64", "write", "pwrite64", "copy_file_range", "getdents64"].contains(call)
  }
}

/// What is done to a point.
struct Injury: Sendable {
  /// The point.
  let point: FaultPoint
  /// The injector's word.
  let action: String

  /// Whether the one who made the call is killed.
  var isKill: Bool { action.hasPrefix("kill") }

  /// All that is to be tried. Within a gate's time: each point at which a death leaves something else than the one
  /// before, and the errors in turn at each place in the code; else everything.
  ///
  /// `common` are places at which this was tried already; the errors of `seen` ones were tried, and those here join them.
  static func all(_ points: [FaultPoint], common: Set<String> = [], seen: inout Set<String>) -> [Injury] {
    if triesEverything {
      return points.flatMap { point in
        (["kill-before", "kill-after"] + point.errors.map { "fail=\($0)" }
          + (point.canBeShort ? ["short"] : []))
          .map { Injury(point: point, action: $0) }
      }
    }
    var injuries: [Injury] = []
    var here = common
    for point in points {
      let isNewHere = here.insert(point.shape).inserted
      if point.isChanging, isNewHere || point.call.hasPrefix("rename") {
        injuries.append(Injury(point: point, action: "kill-after"))
      }
      guard seen.insert(point.shape).inserted else { continue }
      let error = point.errors[point.number % min(3, point.errors.count)]
      injuries.append(Injury(point: point, action: "fail=\(error)"))
      if point.canBeShort { injuries.append(Injury(point: point, action: "short")) }
    }
    return injuries
  }

  /// What of a death is to be tried.
  static func deaths(_ points: [FaultPoint]) -> [Injury] {
    if triesEverything {
      return points.flatMap {
        [Injury(point: $0, action: "kill-before"), Injury(point: $0, action: "kill-after")]
      }
    }
    var seen: Set<String> = []
    return points.filter { $0.isChanging && seen.insert($0.shape).inserted }
      .map { Injury(point: $0, action: "kill-after") }
  }
}
