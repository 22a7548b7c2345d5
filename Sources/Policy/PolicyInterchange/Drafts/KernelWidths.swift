// SPDX-License-Identifier: Apache-2.0

/// The arguments that the kernel reads as numbers of at most 32 bits.
///
/// The kernel treats calls that differ only in the upper half of such an argument as equal. A policy can
/// therefore compare only the lower half without allowing more. The table is from the prototypes of the calls
/// in Linux 7.1; clone(2) reads the lower half of its flags.
enum KernelWidths {
  /// Returns whether the kernel reads at most 32 bits of an argument.
  static func isNarrow(_ call: String, _ argument: Int) -> Bool {
    narrow[call]?.contains(argument) ?? false
  }

  /// The indexes of narrow arguments by call.
  private static let narrow: [String: Set<Int>] = [
    "accept4": [0, 3], "access": [1], "arch_prctl": [0], "bpf": [0, 2], "chmod": [1], "clock_gettime": [0],
    "clock_nanosleep": [0, 1], "clone": [0], "close": [0], "close_range": [0, 1, 2], "creat": [1],
    "dup": [0], "dup2": [0, 1], "dup3": [0, 1, 2], "epoll_create1": [0], "epoll_ctl": [0, 1, 2],
    "eventfd2": [0, 1], "execveat": [0, 4], "faccessat": [0, 2], "faccessat2": [0, 2, 3],
    "fallocate": [0, 1], "fchmod": [0, 1], "fchmodat": [0, 2], "fchmodat2": [0, 2, 3], "fcntl": [0, 1],
    "flock": [0, 1], "futex": [1, 2, 5], "getpriority": [0, 1], "getrandom": [2], "getsockopt": [0, 1, 2],
    "inotify_init1": [0], "ioctl": [0, 1], "ioprio_set": [0, 1, 2], "keyctl": [0], "kill": [0, 1],
    "madvise": [2], "membarrier": [0, 1], "memfd_create": [1], "mkdir": [1], "mkdirat": [0, 2],
    "mknod": [1, 2], "mknodat": [0, 2, 3], "mlock2": [2], "msgctl": [0, 1], "msgget": [0, 1], "msync": [2],
    "newfstatat": [0, 3], "open": [1, 2], "openat": [0, 2, 3], "personality": [0],
    "pidfd_send_signal": [0, 1, 3], "pipe2": [1], "prctl": [0], "prlimit64": [0, 1],
    "recvfrom": [0, 3], "recvmsg": [0, 2], "renameat2": [0, 2, 4], "rt_sigaction": [0],
    "rt_sigprocmask": [0], "sched_setattr": [0, 2], "sched_setscheduler": [0, 1], "seccomp": [0, 1],
    "semctl": [0, 1, 2], "semget": [0, 1, 2], "sendmsg": [0, 2], "sendto": [0, 3], "setns": [0, 1],
    "setpriority": [0, 1, 2], "setsockopt": [0, 1, 2], "shmat": [0, 2], "shmctl": [0, 1], "shmget": [0, 2],
    "shutdown": [0, 1], "signalfd4": [0, 3], "socket": [0, 1, 2], "socketpair": [0, 1, 2],
    "splice": [0, 2, 5], "statx": [0, 2, 3], "tgkill": [0, 1, 2], "timerfd_create": [0, 1],
    "timerfd_settime": [0, 1], "tkill": [0, 1], "umask": [0], "umount2": [1], "unlinkat": [0, 2],
    "utimensat": [0, 3], "wait4": [0, 2], "waitid": [0, 1, 3],
  ]
}
