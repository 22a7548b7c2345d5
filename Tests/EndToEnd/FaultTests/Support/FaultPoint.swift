// SPDX-License-Identifier: Apache-2.0

/// A system call below the program's directory, as the fault injector reports it.
struct FaultPoint: Sendable, Hashable {
  /// The sequence number of the call.
  let number: Int
  /// The name of the call.
  let call: String
  /// The path argument of the call.
  let path: String

  /// Creates a fault point.
  init(number: Int, call: String, path: String) {
    self.number = number
    self.call = call
    self.path = path
  }

  /// Creates a fault point from a line of the injector's report, or returns `nil` if the line is invalid.
  init?(_ line: Substring) {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, let number = Int(words[0]) else { return nil }
    self.number = number
    call = String(words[1])
    path = words.count > 2 ? String(words[2]) : ""
  }

  /// Whether the call can change the file system. A kill between two such calls leaves the state after the
  /// first.
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

  /// The call with the random parts of its path replaced, which identifies the place in the code.
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

  /// The errors that the kernel can return for the call, the most significant first.
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

  /// Whether the call can transfer only a part of the data.
  var canBeShort: Bool {
    ["read", "pread64", "write", "pwrite64", "copy_file_range", "getdents64"].contains(call)
  }
}

/// A fault to inject at a point.
struct Injury: Sendable {
  /// The point of the injection.
  let point: FaultPoint
  /// The injector's action keyword.
  let action: String

  /// Whether the fault kills the calling process.
  var isKill: Bool { action.hasPrefix("kill") }

  /// Returns the faults to inject. In CI, these are a kill after each call that changes files and one error
  /// for each new normalized call; otherwise all faults. `common` are normalized calls that are already
  /// covered. `seen` are normalized calls whose errors are covered; the returned ones are added.
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

  /// Returns the kills to inject.
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
