// SPDX-License-Identifier: Apache-2.0

import SandboxEnforcement
import SandboxPolicy
import Testing

/// The calls that a helper program is allowed, evaluated like in the kernel.
@Suite struct HelperConfinementTests {
  /// Whether a call is allowed.
  private func passes(
    _ call: String,
    _ arguments: UInt64...,
    in calls: [HelperConfinement.Call] = HelperConfinement.viewfinder
  ) throws -> Bool {
    let program = FilterProgram(try HelperConfinement.filter(allowing: calls))
    let number = try #require(SystemCallTable.native.numbers[call], "\(call)")
    let padded = arguments + Array(repeating: 0, count: 6 - arguments.count)
    return try program.verdict(.init(number: UInt32(number), arguments: padded)) == .allow
  }

  @Test func `a display helper can read and write only its existing descriptors`() throws {
    let all =
      [HelperConfinement.viewfinder, HelperConfinement.window(compositor: 5)]
      + [HelperConfinement.lockScreen(host: 0, compositor: 5)]
    for call in ["read", "write", "ppoll", "exit_group"] {
      #expect(try all.allSatisfy { try passes(call, 1, in: $0) }, "\(call)")
    }
    for call in [
      "openat", "openat2", "socket", "connect", "sendmsg", "recvmsg", "execve", "execveat", "clone", "clone3",
      "kill", "tgkill", "pidfd_open", "ptrace", "process_vm_readv", "unlinkat", "renameat2", "memfd_create",
      "bpf", "io_uring_setup", "userfaultfd", "prctl", "seccomp", "setuid", "dup", "fcntl", "mount",
    ] {
      #expect(try !all.contains { try passes(call, 1, 1, 1, in: $0) }, "\(call)")
    }
  }

  @Test func `only the compositor and, for a lock screen, the host can send files`() throws {
    let window = HelperConfinement.window(compositor: 5)
    #expect(try passes("recvmsg", 5, in: window))
    for other: UInt64 in [0, 1, 4, 6] { #expect(try !passes("recvmsg", other, in: window)) }
    let lock = HelperConfinement.lockScreen(host: 0, compositor: 5)
    // F_GET_SEALS is allowed; F_SETFL, F_SETOWN and F_ADD_SEALS are not.
    #expect(try passes("fcntl", 7, 1034, in: lock))
    for command: UInt64 in [4, 8, 1033] { #expect(try !passes("fcntl", 7, command, in: lock)) }
    #expect(try passes("recvmsg", 0, in: lock) && passes("recvmsg", 5, in: lock))
    for other: UInt64 in [1, 4, 6] { #expect(try !passes("recvmsg", other, in: lock)) }
  }

  @Test func `a terminal helper can read the terminal size and mode but cannot inject input`() throws {
    for request: UInt64 in [0x5413, 0x5401, 0x5402, 0x802C_542A, 0x402C_542B] {
      #expect(
        try passes("ioctl", 5, request)
          && !passes("ioctl", 5, request, in: HelperConfinement.window(compositor: 5))
      )
    }
    // TIOCSTI, with and without ignored upper bits; TIOCSCTTY, TIOCSPGRP and TIOCLINUX.
    for request: UInt64 in [0x5412, 0x5412 | 1 << 32, 0x540E, 0x5410, 0x541C] {
      #expect(try !passes("ioctl", 5, request))
    }
  }

  @Test func `memory cannot become executable`() throws {
    for call in ["mmap", "mprotect"] {
      #expect(
        try passes(call, 0, 4096, 3) && !passes(call, 0, 4096, 5) && !passes(call, 0, 4096, 7),
        "\(call)"
      )
    }
  }

  @Test func `a call of another architecture kills the program`() throws {
    let program = FilterProgram(try HelperConfinement.filter(allowing: HelperConfinement.viewfinder))
    #expect(try program.verdict(.init(number: 1, architecture: 0x4000_0003)) == .killProcess)
  }
}
