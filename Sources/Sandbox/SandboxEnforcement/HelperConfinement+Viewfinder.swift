// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

extension HelperConfinement {
  /// The calls of a viewfinder helper once it reads pixels of an extension: reading and writing open files,
  /// and allocating memory that cannot be executed.
  private static let commonCalls: [Call] =
    ["mmap", "mprotect"].map { Call($0, [ArgumentCondition(index: 2, mask: executable, value: 0)]) }
    + [
      "read", "write", "pread64", "ppoll", "close", "munmap", "mremap", "madvise", "brk", "futex",
      "clock_gettime", "getrandom", "sched_yield", "rt_sigreturn", "restart_syscall", "exit", "exit_group",
    ].map { Call($0) }

  /// The calls of a viewfinder in a terminal, which also queries the size of the terminal and restores its
  /// modes.
  package static let viewfinder: [Call] =
    commonCalls + terminalRequests.map { Call("ioctl", [ArgumentCondition(index: 1, value: $0)]) }

  /// Returns the calls of a viewfinder in a window.
  ///
  /// The window still receives keymaps, which are files, over its connection to the compositor. The
  /// connection and the memory that both share exist before.
  package static func window(compositor: Int32) -> [Call] {
    commonCalls + [Call("recvmsg", [ArgumentCondition(index: 0, value: UInt32(bitPattern: compositor))])]
  }

  /// Returns the calls of a viewfinder on a lock screen, which shows the ring of one session after the other.
  ///
  /// Each ring is a memory file from the host. The viewfinder queries the size of the file and its seals.
  package static func lockScreen(host: Int32, compositor: Int32) -> [Call] {
    window(compositor: compositor)
      + [Call("recvmsg", [ArgumentCondition(index: 0, value: UInt32(bitPattern: host))])]
      + ["fstat", "newfstatat"].map { Call($0) }
      + [Call("fcntl", [ArgumentCondition(index: 1, value: getSeals)])]
  }

  /// The requests that a terminal may receive: its size and its modes. A killed host can leave the modes
  /// changed.
  ///
  /// The corresponding constants are `TIOCGWINSZ`, `TCGETS` and `TCSETS`, and `TCGETS2` and `TCSETS2`, with which the C library
  /// replaces these two from version 2.42 on. `TIOCSTI` must not be allowed: with `TIOCSTI`, a process that has a terminal could
  /// type there.
  private static let terminalRequests: [UInt32] = [0x5413, 0x5401, 0x5402, 0x802C_542A, 0x402C_542B]

  /// The command of fcntl(2) that returns the seals of a memory file. The corresponding constant is
  /// `F_GET_SEALS`.
  private static let getSeals: UInt32 = 1034

  /// The protection that memory must not have. The corresponding flag is `PROT_EXEC`.
  private static let executable: UInt32 = 4
}
