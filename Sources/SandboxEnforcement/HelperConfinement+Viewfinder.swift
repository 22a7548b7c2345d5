// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

extension HelperConfinement {
  /// What the program that shows viewfinders in a terminal still does once it looks at what an extension has drawn: what
  /// every such program does, ask the terminal for its size, and put its keys right.
  package static let viewfinder: [Call] =
    window + terminalRequests.map { Call("ioctl", [ArgumentCondition(index: 1, value: $0)]) }

  /// What the program that shows them in a window still does: read and write what it has open, and take memory that
  /// cannot be executed. Its connection to the compositor is made, and so is the memory that both see.
  package static let window: [Call] =
    ["mmap", "mprotect"].map { Call($0, [ArgumentCondition(index: 2, mask: executable, value: 0)]) }
    + [
      "read", "write", "pread64", "ppoll", "close", "munmap", "mremap", "madvise", "brk", "futex",
      "clock_gettime", "getrandom", "sched_yield", "rt_sigreturn", "restart_syscall", "exit", "exit_group",
    ].map { Call($0) }

  /// Which requests a terminal is sent: for its size, and for how it gives keys, which a host that was killed has left as
  /// it needed it. The corresponding constants are `TIOCGWINSZ`, `TCGETS` and `TCSETS`; with another, `TIOCSTI`, whoever
  /// has a terminal could type there.
  private static let terminalRequests: [UInt32] = [0x5413, 0x5401, 0x5402]

  /// What memory may not be. The corresponding flag is `PROT_EXEC`.
  private static let executable: UInt32 = 4
}
