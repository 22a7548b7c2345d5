// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// Creates random minijail policies in the syntax of libminijail.
enum RandomMinijailPolicy {
  /// Returns a policy with up to six rules.
  static func text(using generator: inout SeededGenerator) -> String {
    let calls = ["read", "write", "ioctl", "socket", "mmap", "prctl", "clone", "fcntl", "openat", "kill"]
    let lines = calls.shuffled(using: &generator).prefix(Int.random(in: 1...6, using: &generator)).map {
      call in
      "\(call)\(generator.oneIn(3) ? " " : ""): \(answer(&generator))"
    }
    return "# random\n\n" + lines.joined(separator: "\n") + "\n"
  }

  private static func answer(_ generator: inout SeededGenerator) -> String {
    let refusal = generator.pick([
      "return EPERM", "return ENOSYS", "return 13", "return 0x7d", "return", "return 99999",
    ])
    switch generator.pick([0, 1, 2, 2, 2, 2]) {
    case 0: return "1"
    case 1: return refusal
    default: return expression(&generator) + (generator.oneIn(2) ? "; \(refusal)" : "")
    }
  }

  private static func expression(_ generator: inout SeededGenerator) -> String {
    let alternatives = (0...generator.pick([0, 0, 1, 2])).map { _ in
      (0...generator.pick([0, 0, 1, 2])).map { _ in comparison(&generator) }.joined(separator: " && ")
    }
    // A backslash continues a line.
    return alternatives.joined(separator: generator.oneIn(4) ? " || \\\n  " : " || ")
  }

  private static func comparison(_ generator: inout SeededGenerator) -> String {
    let operation = generator.pick(["==", "!=", "<", "<=", ">", ">=", "&", "in"])
    return "arg\(Int.random(in: 0...5, using: &generator)) \(operation) \(value(&generator, 0))"
  }

  /// Returns a value: numbers in the notation of strtol(3), names, and their combinations.
  private static func value(_ generator: inout SeededGenerator, _ depth: Int) -> String {
    (0...generator.pick([0, 0, 0, 1, 2])).map { _ in
      let sign = generator.oneIn(6) ? "~" : ""
      if depth < 2, generator.oneIn(8) { return "\(sign)(\(value(&generator, depth + 1)))" }
      return sign + generator.pick(numbers + names)
    }.joined(separator: "|")
  }

  private static let numbers = [
    "0", "1", "2", "017", "0xff", "0x5401", "4294967295", "0x80000000", "4294967296", "0x100000005", "-1",
    "-100",
    "-0x10", "18446744073709551615", "0xffffffff00000000",
  ]
  /// Names of each kind that libminijail knows, including aliases and negative values.
  private static let names = [
    "PROT_NONE", "PROT_READ", "PROT_EXEC", "O_RDONLY", "O_WRONLY", "O_CLOEXEC", "O_DIRECTORY", "O_ACCMODE",
    "SOCK_STREAM", "SOCK_CLOEXEC", "AF_UNIX", "AF_LOCAL", "PF_NETLINK", "AF_VSOCK", "GRND_RANDOM", "TCGETS",
    "FIONREAD", "SIOCOUTQ", "FIONBIO", "FS_IOC_GETFLAGS", "FDGETFDCSTAT", "PR_SET_NAME", "PR_SET_VMA",
    "CLONE_VM", "CLONE_NEWUSER", "F_GETFL", "F_SETLK", "S_IRWXU", "SIGTERM", "MAP_ANONYMOUS", "MAP_ANON",
    "MS_NOUSER", "EPERM", "RLIMIT_NOFILE", "MADV_DONTNEED",
  ]
}
