// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy
internal import SystemCalls

/// The system call groups of systemd 252, for `SystemCallFilter=`.
///
/// Groups in policies contain only the calls of x86_64 and aarch64. Groups of systemd contain the calls of
/// every architecture, and systemd applies a group to each architecture that a service may use. A test
/// compares both with `systemd-analyze`.
enum SystemdGroups {
  /// Returns the calls of a group without duplicates, or `nil` if the group is unknown.
  static func calls(of group: String) -> [String]? {
    if group == known { return CallTable.allNames.subtracting(unknownCalls).sorted() }
    guard CallGroup.members[group] != nil else { return nil }
    var seen: Set<String> = [group]
    var calls: [String] = []
    var waiting = [group]
    while let name = waiting.popLast() {
      for member in members(of: name) where seen.insert(member).inserted {
        if member.hasPrefix("@") { waiting.append(member) } else { calls.append(member) }
      }
    }
    return calls
  }

  /// Returns the direct members of a group: calls, and other groups with their `@`.
  private static func members(of group: String) -> [String] {
    (CallGroup.members[group] ?? []) + (SortedLines(others).words(after: group) ?? [])
  }

  /// The group of all calls that systemd knows.
  private static let known = "@known"

  /// The members of each group that neither x86_64 nor aarch64 has, sorted, with one group in each line.
  private static let others: StaticString = """
    @aio io_pgetevents_time64
    @basic-io _llseek
    @chown chown32 fchown32 lchown32
    @clock clock_adjtime64 clock_settime64
    @cpu-emulation subpage_prot switch_endian vm86 vm86old
    @debug rtas s390_runtime_instr sys_debug_setcontext
    @default cacheflush clock_getres_time64 clock_gettime64 clock_nanosleep_time64 futex_time64 \
    getegid32 geteuid32 getgid32 getgroups32 getresgid32 getresuid32 getuid32 mmap2 riscv_flush_icache \
    riscv_hwprobe set_tls sigreturn ugetrlimit
    @file-system fcntl64 fstat64 fstatat64 fstatfs64 ftruncate64 lstat64 oldfstat oldlstat oldstat \
    stat64 statfs64 truncate64 utimensat_time64
    @io-event _newselect ppoll_time64 pselect6_time64
    @ipc ipc mq_timedreceive_time64 mq_timedsend_time64 semtimedop_time64
    @mount umount
    @network-io recv recvmmsg_time64 send socketcall
    @obsolete bdflush break ftime gtty idle lock mpx prof profil sgetmask ssetmask stime stty ulimit
    @privileged setfsuid32 setgroups32 setresuid32 setreuid32 setuid32
    @process swapcontext waitpid
    @raw-io pciconfig_iobase pciconfig_read pciconfig_write s390_pci_mmio_read s390_pci_mmio_write
    @resources nice
    @setuid setgid32 setgroups32 setregid32 setresgid32 setresuid32 setreuid32 setuid32
    @signal rt_sigtimedwait_time64 sigaction signal sigpending sigprocmask sigsuspend
    @sync sync_file_range2
    @system-service arm_fadvise64_64 fadvise64_64 oldolduname olduname readdir \
    sched_rr_get_interval_time64 sendfile64 setfsgid32 setfsuid32
    @timer timer_gettime64 timer_settime64 timerfd_gettime64 timerfd_settime64
    """

  /// The calls in the tables that systemd 252 does not know, such as newer calls and calls without a wrapper
  /// in any C library.
  static let unknownCalls = Set(
    """
    arm_sync_file_range breakpoint cachestat file_getattr file_setattr get_tls getxattrat listmount \
    listns listxattrat lsm_get_self_attr lsm_list_modules lsm_set_self_attr mseal nfsservctl open_tree_attr \
    removexattrat rseq_slice_yield set_tls setxattrat statmount uprobe uretprobe usr26 usr32
    """.split(separator: " ").map(String.init)
  )
}
