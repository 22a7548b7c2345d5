// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

extension HelperConfinement {
  /// What a program that shows viewfinders still does once it looks at what an extension has drawn: read and write what it
  /// has open, and take memory that cannot be executed.
  private static let shown: [Call] =
    ["mmap", "mprotect"].map { Call($0, [ArgumentCondition(index: 2, mask: executable, value: 0)]) }
    + [
      "read", "write", "pread64", "ppoll", "close", "munmap", "mremap", "madvise", "brk", "futex",
      "clock_gettime", "getrandom", "sched_yield", "rt_sigreturn", "restart_syscall", "exit", "exit_group",
    ].map { Call($0) }

  /// In a terminal it asks that for its size as well, and puts its keys right.
  package static let viewfinder: [Call] =
    shown + terminalRequests.map { Call("ioctl", [ArgumentCondition(index: 1, value: $0)]) }

  /// In a window it goes on taking descriptions of keyboards, which are files, from its connection to the compositor. That
  /// is made, and so is the memory that both see.
  package static func window(compositor: Int32) -> [Call] {
    shown + [Call("recvmsg", [ArgumentCondition(index: 0, value: UInt32(bitPattern: compositor))])]
  }

  /// On a lock screen it looks at one session's ring after the other: each is a file that the host sends, whose size it
  /// asks for, and whether that can change.
  package static func lockScreen(host: Int32, compositor: Int32) -> [Call] {
    window(compositor: compositor)
      + [Call("recvmsg", [ArgumentCondition(index: 0, value: UInt32(bitPattern: host))])]
      + ["fstat", "newfstatat"].map { Call($0) }
      + [Call("fcntl", [ArgumentCondition(index: 1, value: getSeals)])]
  }

  /// Which requests a terminal is sent: for its size, and for how it gives keys, which a host that was killed has left as
  /// it needed it. The corresponding constants are `TIOCGWINSZ`, `TCGETS` and `TCSETS`; with another, `TIOCSTI`, whoever
  /// has a terminal could type there.
  private static let terminalRequests: [UInt32] = [0x5413, 0x5401, 0x5402]

  /// The command of fcntl(2) that asks how a file of memory is sealed. The corresponding constant is `F_GET_SEALS`.
  private static let getSeals: UInt32 = 1034

  /// What memory may not be. The corresponding flag is `PROT_EXEC`.
  private static let executable: UInt32 = 4
}
