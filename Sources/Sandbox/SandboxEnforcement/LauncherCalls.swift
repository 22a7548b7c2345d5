// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// The system calls that the launcher makes between the installation of the reporting filter and execve(2).
package enum LauncherCalls {
  /// The names of the calls. Frequent calls whose arguments policies compare come first.
  package static let names = [
    "openat", "fcntl", "ioctl", "prctl", "futex", "read", "write", "close", "clock_gettime", "getpid", "dup3",
    "close_range", "rt_sigprocmask", "getpriority", "setpriority", "sched_getscheduler", "sched_setscheduler",
    "prlimit64", "umask", "chdir", "fchdir", "chroot", "unshare", "setgroups", "setresgid", "setresuid",
    "capset", "keyctl", "pidfd_open", "socket", "landlock_create_ruleset", "landlock_add_rule",
    "landlock_restrict_self", "sendmsg", "seccomp", "exit_group",
  ]
}

extension LauncherCalls {
  /// The instructions that recognize the launcher's calls by the mark in their sixth argument.
  struct Marked {
    /// The numbers of the launcher's calls that a filter does not allow for all arguments.
    private let numbers: [UInt32]
    /// The mark, which is the sixth argument.
    private let mark: UInt64

    /// The maximum number of instructions.
    static let maximumInstructions = names.count + 9

    /// Creates instructions for the launcher's calls that a filter does not always allow.
    ///
    /// The kernel caches that the other calls need no filter. It would not cache them if the filter read
    /// their arguments.
    init(notAllowedBy filter: [FilterInstruction], mark: UInt64) {
      numbers = names.compactMap { SystemCallTable.number(of: $0).map { UInt32($0) } }
        .filter { !filter.alwaysAllow($0, MachineArchitecture.native.auditArchitecture) }
      self.mark = mark
    }

    /// Returns instructions that answer the marked calls, and continue with the following instructions for
    /// all other calls.
    func answering(_ action: FilterAssembly.Action) -> FilterAssembly {
      var part = FilterAssembly()
      guard !numbers.isEmpty else { return part }
      part.load(.architecture)
      part.jump(
        .equal,
        MachineArchitecture.native.auditArchitecture,
        true: 0,
        false: UInt8(numbers.count + 7)
      )
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
