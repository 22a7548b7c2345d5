// SPDX-License-Identifier: Apache-2.0

import Testing

/// What the filter of system calls refuses.
@Suite(.timeLimit(.minutes(10))) struct ForbiddenCallTests {
  /// The calls that nothing else refuses, or not all of it: without the filter they succeed.
  static let behindFilterOnly = [
    "socket", "socketpair", "ptrace-traceme", "unshare-files", "open_tree", "name_to_handle_at",
    "personality-no-randomization", "personality-read-implies-execute",
    "listmount", "prctl-seccomp", "setfsuid", "shmget", "ioctl-TIOCSCTTY", "ioctl-TIOCSETD",
    "adjtimex", "clock_adjtime",
  ]

  /// The calls that the hidden mount table refuses, too: the kernel makes no user namespace for a process whose root is
  /// not that of its mount namespace (user_namespaces(7), EPERM).
  static let behindHiddenMounts = ["unshare-user", "clone-user"]

  /// The call that the host's own listener refuses, too: there can be only one (seccomp(2), EBUSY).
  static let behindListener = ["seccomp-filter-listener"]

  /// The calls that the kernel may refuse, too, for other reasons: it lacks them, or the session lacks the privilege.
  static let behindMore = [
    "ptrace-attach-init", "ptrace-seize-init", "process_vm_readv", "process_vm_writev", "process_madvise",
    "pidfd_getfd", "kcmp", "unshare-mount", "unshare-cgroup", "unshare-uts", "unshare-ipc", "unshare-pid",
    "unshare-network", "unshare-time", "clone-pid", "clone-network", "clone-mount", "setns", "mount",
    "remount",
    "umount2", "pivot_root", "chroot", "fsopen", "fsconfig", "fsmount", "fspick", "open_tree-clone",
    "move_mount",
    "mount_setattr", "statmount", "open_tree_attr", "open_by_handle_at", "keyctl", "add_key", "request_key",
    "bpf",
    "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register", "init_module",
    "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff",
    "clock_settime", "settimeofday", "sethostname", "setdomainname", "quotactl", "quotactl_fd", "syslog",
    "acct",
    "vhangup", "fanotify_init", "memfd_secret", "lsm_set_self_attr", "ioctl-TIOCSTI", "ioctl-TIOCSTI-high",
    "ioctl-TIOCLINUX", "ioctl-TIOCLINUX-high", "ioctl-unknown", "setuid-root", "setresuid-root",
    "setgid-root",
    "setgroups", "capset", "prctl-bounding-set", "prctl-ambient", "prctl-keep-capabilities",
    "prctl-securebits",
    "prctl-memory-map", "prctl-tracer", "semget", "msgget", "mq_open", "sendmsg", "recvmsg", "mlockall",
    "ioprio_set",
  ]

  /// The calls of `behindMore` that only one architecture has.
  #if arch(x86_64)
    static let native = ["mknod-character", "mknod-block", "iopl", "ioperm", "modify_ldt"]
  #else
    static let native: [String] = []
  #endif

  @Test(arguments: ProbeUser.available, ["base", "capture", "strict"])
  func `a forbidden call is refused by the filter itself, whatever else would refuse it`(
    user: ProbeUser,
    policy: String
  ) throws {
    let calls =
      Self.behindFilterOnly + Self.behindHiddenMounts + Self.behindListener + Self.behindMore
      + Self.native
    let results = try ProbeBench(user).attempt(calls, policy: policy, without: ["usualErrno"])
    for result in results {
      #expect(result.verdict == "refused" && result.text.hasSuffix("EBADFD"), "\(result)")
    }
  }

  @Test(arguments: ProbeUser.available)
  func `without the filter the kernel decides, and the calls that only the filter refuses succeed`(
    user: ProbeUser
  )
    throws
  {
    let bench = try ProbeBench(user)
    for result in try bench.attempt(Self.behindFilterOnly, without: ["filter"]) {
      #expect(result.verdict == "succeeded", "\(result)")
    }
    for (calls, second) in [(Self.behindHiddenMounts, "mountTable"), (Self.behindListener, "reports")] {
      for result in try bench.attempt(calls, without: ["filter", second]) {
        #expect(result.verdict == "succeeded", "\(result)")
      }
      for result in try bench.attempt(calls, without: ["filter"]) {
        #expect(result.verdict == "refused", "\(result)")
      }
    }
    let calls = Self.behindMore + Self.native
    for result in try bench.attempt(calls, without: ["filter", "usualErrno"]) {
      #expect(!result.text.hasSuffix("EBADFD") || result.verdict == "succeeded", "\(result)")
    }
  }

  @Test(arguments: ProbeUser.available)
  func `a call that the kernel may come to know is answered as if it did not know it`(user: ProbeUser) throws
  {
    let bench = try ProbeBench(user)
    let results = try bench.attempt(["call-minus-one", "call-9999", "clone3-user"])
    for result in results { #expect(result.text == "ENOSYS", "\(result)") }
    #expect(
      try bench.attempt(["clone3-user"], without: ["filter", "mountTable"]).map(\.verdict) == ["succeeded"]
    )
  }

  #if arch(x86_64)
    @Test(arguments: ProbeUser.available, ["base", "strict"])
    func `a call by another convention ends the program`(user: ProbeUser, policy: String) throws {
      let attempts = ["i386-getpid", "i386-socketcall", "x32-getpid", "x32-socket"]
      let bench = try ProbeBench(user)
      for result in try bench.attempt(attempts, policy: policy) {
        #expect(result.verdict == "SIGSYS", "\(result)")
      }
      for result in try bench.attempt(attempts, policy: policy, without: ["filter"]) {
        #expect(result.verdict != "SIGSYS", "\(result)")
      }
    }
  #endif

  @Test(arguments: ProbeUser.available)
  func `real time and better nice values are refused by the kernel`(user: ProbeUser) throws {
    for result in try ProbeBench(user).attempt(["real-time", "nice-below-zero"]) {
      #expect(result.verdict == "refused", "\(result)")
    }
  }

  @Test(arguments: ProbeUser.available)
  func `a refused call fails also where nobody listens any more`(user: ProbeUser) throws {
    let attempts = ["socketpair", "ptrace-traceme", "open_tree"]
    for result in try ProbeBench(user).attempt(attempts, without: ["listening"]) {
      #expect(result.verdict == "refused" && result.text.hasSuffix("ENOSYS"), "\(result)")
    }
  }
}
