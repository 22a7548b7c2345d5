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
    let fields = line.split(separator: " ", maxSplits: 2)
    guard fields.count >= 2, let number = Int(fields[0]) else { return nil }
    self.number = number
    call = String(fields[1])
    path = fields.count > 2 ? String(fields[2]) : ""
  }

  /// Whether the call can change the file system. A kill between two such calls leaves the state after the
  /// first.
  var changesFiles: Bool { Self.changingCalls.contains(call) }

  private static let changingCalls: Set<String> = [
    "openat", "openat2", "open", "creat", "mkdirat", "mkdir", "mknodat", "renameat2", "renameat", "rename",
    "unlinkat",
    "unlink", "rmdir", "linkat", "link", "symlinkat", "symlink", "write", "pwrite64", "writev", "ftruncate",
    "truncate",
    "fallocate", "fchmod", "fchmodat", "fchmodat2", "chmod", "fchown", "fchownat", "chown", "utimensat",
    "fsetxattr",
    "fremovexattr", "copy_file_range", "sendfile", "ioctl",
  ]

  /// The call with the random parts of its path replaced, which identifies the place in the code.
  var normalizedCall: String {
    var normalizedCall = ""
    var isInNumber = false
    for character in path {
      let isRandom = character.isHexDigit && !character.isLetter || "abcdef-".contains(character)
      if !isRandom { normalizedCall.append(character) } else if !isInNumber { normalizedCall.append("#") }
      isInNumber = isRandom
    }
    return "\(call) \(normalizedCall)"
  }

  /// The errors that the kernel can return for the call, the most significant first.
  var possibleErrors: [String] { Self.possibleErrors[call] ?? ["EIO"] }

  private static let possibleErrors: [String: [String]] = [
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
  var canTransferPartially: Bool {
    ["read", "pread64", "write", "pwrite64", "copy_file_range", "getdents64"].contains(call)
  }
}

/// A fault to inject at a point.
struct FaultInjection: Sendable {
  /// The point of the injection.
  let point: FaultPoint
  /// The injector's action keyword.
  let action: String

  /// Whether the fault kills the calling process.
  var isKill: Bool { action.hasPrefix("kill") }

  /// Returns the faults to inject. In CI, these are a kill after each call that changes files and one error
  /// for each new normalized call; otherwise all faults. `common` are normalized calls that are already
  /// covered. `testedCalls` are normalized calls whose errors are covered; the returned ones are added.
  static func all(_ points: [FaultPoint], commonCalls: Set<String> = [], testedCalls: inout Set<String>)
    -> [FaultInjection]
  {
    if isExhaustive {
      return points.flatMap { point in
        (["kill-before", "kill-after"] + point.possibleErrors.map { "fail=\($0)" }
          + (point.canTransferPartially ? ["short"] : []))
          .map { FaultInjection(point: point, action: $0) }
      }
    }
    var injections: [FaultInjection] = []
    var coveredCalls = commonCalls
    for point in points {
      let isNew = coveredCalls.insert(point.normalizedCall).inserted
      if point.changesFiles, isNew || point.call.hasPrefix("rename") {
        injections.append(FaultInjection(point: point, action: "kill-after"))
      }
      guard testedCalls.insert(point.normalizedCall).inserted else { continue }
      let error = point.possibleErrors[point.number % min(3, point.possibleErrors.count)]
      injections.append(FaultInjection(point: point, action: "fail=\(error)"))
      if point.canTransferPartially { injections.append(FaultInjection(point: point, action: "short")) }
    }
    return injections
  }

  /// Returns the kills to inject.
  static func kills(_ points: [FaultPoint]) -> [FaultInjection] {
    if isExhaustive {
      return points.flatMap {
        [FaultInjection(point: $0, action: "kill-before"), FaultInjection(point: $0, action: "kill-after")]
      }
    }
    var testedCalls: Set<String> = []
    return points.filter { $0.changesFiles && testedCalls.insert($0.normalizedCall).inserted }
      .map { FaultInjection(point: $0, action: "kill-after") }
  }
}
