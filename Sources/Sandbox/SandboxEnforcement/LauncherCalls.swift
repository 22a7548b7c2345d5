// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// What the launcher itself calls between the filter that reports and the program.
package enum LauncherCalls {
  /// The calls. Those that are made often, and that policies look at the arguments of, come first.
  package static let names = [
    "openat", "fcntl", "ioctl", "prctl", "futex", "read", "write", "close", "clock_gettime", "getpid", "dup3",
    "close_range", "rt_sigprocmask", "getpriority", "setpriority", "sched_getscheduler", "sched_setscheduler",
    "prlimit64", "umask", "chdir", "fchdir", "chroot", "unshare", "setgroups", "setresgid", "setresuid",
    "capset", "keyctl", "pidfd_open", "socket", "landlock_create_ruleset", "landlock_add_rule",
    "landlock_restrict_self", "sendmsg", "seccomp", "exit_group",
  ]
}

extension LauncherCalls {
  /// The instructions that tell these calls from others, where they carry the mark.
  struct Marked {
    /// Those that a filter does not allow whatever their arguments are.
    private let numbers: [UInt32]
    /// The sixth argument.
    private let mark: UInt64

    /// How many instructions there are at most.
    static let mostInstructions = names.count + 9

    /// For the calls that a filter does not always allow. The kernel remembers of the others that they need no filter at all,
    /// which it would not if their arguments were looked at.
    init(beside filter: [FilterInstruction], mark: UInt64) {
      numbers = names.compactMap { SystemCallTable.number(of: $0).map { UInt32($0) } }
        .filter { !filter.alwaysAllow($0, MachineArchitecture.native.auditNumber) }
      self.mark = mark
    }

    /// Gives them an answer, and leaves every other call to what follows.
    func answering(_ action: FilterAssembly.Action) -> FilterAssembly {
      var part = FilterAssembly()
      guard !numbers.isEmpty else { return part }
      part.load(.architecture)
      part.jump(.equal, MachineArchitecture.native.auditNumber, true: 0, false: UInt8(numbers.count + 7))
      part.load(.number)
      for (index, number) in numbers.enumerated() {
        part.jump(.equal, number, true: UInt8(numbers.count - index), false: 0)
      }
      part.append(.skip(5))
      part.load(.argument(5))
      part.jump(.equal, UInt32(truncatingIfNeeded: mark), true: 0, false: 3)
      part.load(.upperArgument(5))
      part.jump(.equal, UInt32(truncatingIfNeeded: mark >> 32), true: 0, false: 1)
      part.finish(action)
      return part
    }
  }
}
