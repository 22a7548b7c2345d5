// SPDX-License-Identifier: Apache-2.0

import SandboxEnforcement
import SandboxPolicy
import Testing

/// The filter that denies sockets regardless of the policy, evaluated like in the kernel.
@Suite struct SocketFilterTests {
  /// The corresponding constant is `SECCOMP_RET_TRACE`.
  private static let denied = FilterProgram.Verdict.other(0x7FF0_0000)

  /// Returns the verdict for a call of the native architecture.
  private static func verdict(_ call: String, _ arguments: [UInt64]) throws -> FilterProgram.Verdict {
    let number = try #require(SystemCallTable.native.numbers[call], "\(call)")
    let padded = arguments + Array(repeating: 0, count: 6 - arguments.count)
    return try FilterProgram(SocketFilter.program).verdict(.init(number: UInt32(number), arguments: padded))
  }

  @Test(arguments: [
    "socket", "connect", "bind", "listen", "accept", "accept4", "sendmmsg", "io_uring_setup",
    "io_uring_enter", "io_uring_register", "pidfd_getfd", "ptrace",
  ])
  func `denies every call that creates or connects a socket, with any arguments`(call: String) throws {
    for family in [0, 1, 2, 10, 16, 17, 40, UInt64.max] {
      for type in [0, 1, 2, 3, 5, 0x80001, UInt64.max] {
        #expect(try Self.verdict(call, [family, type]) == Self.denied, "\(family) \(type)")
      }
    }
  }

  @Test func `allows only connected pairs of Unix sockets`() throws {
    for type in [1, 5, 0x80001, 0x80805] as [UInt64] {
      #expect(try Self.verdict("socketpair", [1, type]) == .allow, "\(type)")
    }
    for type in [0, 2, 3, 4, 6, 0x80002, 0xF] as [UInt64] {
      #expect(try Self.verdict("socketpair", [1, type]) == Self.denied, "\(type)")
    }
    for family in [0, 2, 10, 16, 40] as [UInt64] {
      #expect(try Self.verdict("socketpair", [family, 1]) == Self.denied, "\(family)")
    }
    // The kernel ignores the upper halves of both arguments, which are of type int.
    #expect(try Self.verdict("socketpair", [1 << 32 | 2, 1]) == Self.denied)
  }

  @Test func `allows only messages without an address`() throws {
    #expect(try Self.verdict("sendto", [3, 4096, 1, 0, 0, 0]) == .allow)
    for length in [1, 16, 110, UInt64.max] {
      #expect(try Self.verdict("sendto", [3, 4096, 1, 0, 4096, length]) == Self.denied, "\(length)")
    }
  }

  @Test func `kills a process that makes a call of another architecture`() throws {
    let filter = FilterProgram(SocketFilter.program)
    #expect(try filter.verdict(.init(number: 0, architecture: 0x4000_0003)) == .killProcess)
    guard MachineArchitecture.native == .x86 else { return }
    #expect(try filter.verdict(.init(number: 0x4000_0029)) == .killProcess)
    // A tracer sets -1 for a call that is to be skipped.
    #expect(try filter.verdict(.init(number: .max)) == .allow)
  }

  @Test func `allows every other call, so that the kernel does not evaluate the filter for it`() throws {
    let conditional: Set = ["socketpair", "sendto"]
    let denied = Set(
      SystemCallTable.native.numbers.keys.filter { call in
        (try? Self.verdict(call, [])) != .allow
      }
    )
    #expect(denied.subtracting(conditional).count == 12, "\(denied)")
  }
}
