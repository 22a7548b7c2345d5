// SPDX-License-Identifier: Apache-2.0

/// The restrictions that no policy can lift: calls that are never allowed, and calls that are harmless only
/// with limited arguments.
package enum PolicyCore {
  /// The calls that no policy can allow, by area.
  package static let forbidden: [CoreArea: [String]] = [
    .network: ["socket", "bind", "listen", "accept", "accept4", "connect", "sendmmsg", "recvmmsg"],
    .namespaces: ["unshare", "setns", "listns"],
    .mounts: [
      "mount", "umount2", "pivot_root", "chroot", "move_mount", "fsopen", "fsconfig", "fsmount", "fspick",
      "open_tree", "open_tree_attr", "mount_setattr", "statmount", "listmount",
    ],
    .asynchronousCalls: ["io_uring_setup", "io_uring_enter", "io_uring_register"],
    .keyrings: ["add_key", "keyctl", "request_key"],
    .otherProcesses: [
      "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp",
    ],
    .kernelPrograms: [
      "bpf", "perf_event_open", "lookup_dcookie", "uprobe", "uretprobe", "fanotify_init", "fanotify_mark",
    ],
    .userFaults: ["userfaultfd"],
    .fileHandles: ["open_by_handle_at", "name_to_handle_at"],
    .machine: [
      "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "create_module",
      "query_module", "get_kernel_syms", "reboot", "swapon", "swapoff", "quotactl", "quotactl_fd",
      "sethostname", "setdomainname", "acct", "syslog", "_sysctl", "nfsservctl", "uselib", "vhangup",
      "lsm_set_self_attr",
    ],
    .clock: ["clock_settime", "settimeofday", "adjtimex", "clock_adjtime"],
    .hardware: ["iopl", "ioperm", "modify_ldt"],
    .hiddenFlags: ["clone3"],
  ]

  /// The area of each forbidden call.
  package static let area: [String: CoreArea] = Dictionary(
    uniqueKeysWithValues: forbidden.flatMap { area, calls in calls.map { ($0, area) } }
  )

  /// The calls that a policy can allow only with limited arguments.
  package static let requirements = socketRequirements.merging(otherRequirements) { $1 }

  private static let otherRequirements: [String: CoreRequirement] = [
    "clone": CoreRequirement(.namespaces, .init(0, .clear(namespaceFlags))),
    "seccomp": CoreRequirement(.filterListeners, .init(1, .clear(newListenerFlag))),
    // A session has one process that is not its own: the first one of its PID namespace.
    "prlimit64": CoreRequirement(.otherProcesses, callerOnly),
    "sched_setaffinity": CoreRequirement(.scheduling, callerOnly),
    "sched_setscheduler": CoreRequirement(.scheduling, callerOnly),
    "sched_setparam": CoreRequirement(.scheduling, callerOnly),
    "sched_setattr": CoreRequirement(.scheduling, callerOnly),
    // A process group or a user would include the first process as well.
    "setpriority": CoreRequirement(.scheduling, callerOnly, .init(1, .among([0]))),
    "ioprio_set": CoreRequirement(.scheduling, .init(0, .among([1])), .init(1, .among([0]))),
    "personality": CoreRequirement(.personality, .init(0, .among([0, .max]))),
    "ioctl": CoreRequirement(.deviceRequests, .init(1, .noneOf(dangerousRequests))),
  ]

  /// The first argument is zero: the calling process or, for setpriority(2), a single process.
  private static let callerOnly = CoreRequirement.Limit(0, .among([0]))

  /// All `CLONE_NEW…` flags.
  package static let namespaceFlags: UInt32 = 0x7E02_0080
  /// The corresponding flag is `SECCOMP_FILTER_FLAG_NEW_LISTENER`.
  package static let newListenerFlag: UInt32 = 0x8
  /// Requests that inject input into a terminal, take it over, freeze a file system or change file
  /// attributes.
  ///
  /// `TIOCSTI`, `TIOCLINUX`, `TIOCCONS`, `TIOCSETD`, `TIOCSCTTY`, `FIFREEZE`, `FITHAW` and `FS_IOC_SETFLAGS`.
  package static let dangerousRequests: Set<UInt32> = [
    0x5412, 0x541C, 0x541D, 0x5423, 0x540E, 0xC004_5877, 0xC004_5878, 0x4008_6602,
  ]

  /// Returns the area that a rule would violate, or `nil` if it violates none.
  package static func violation(of rule: SyscallRule) -> CoreArea? {
    if let area = area[rule.call] { return area }
    guard let requirement = requirements[rule.call], !requirement.isMet(by: rule.conditions) else {
      return nil
    }
    return requirement.area
  }
}
