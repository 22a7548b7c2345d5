// SPDX-License-Identifier: Apache-2.0

import Policies
import SandboxEnforcement
import SandboxPolicy
import Testing

/// The filter of a session without namespaces, evaluated like in the kernel.
@Suite struct RestrictedFilterTests {
  private static func program(_ name: String, signalsAreScoped: Bool) throws -> FilterProgram {
    let policy = try #require(try PolicyLibrary(texts: ShippedPolicies.texts).policy(named: name))
    return FilterProgram(try SeccompCompiler.compile(policy.restricted(signalsAreScoped: signalsAreScoped)))
  }

  /// Whether a call is allowed.
  private static func passes(_ program: FilterProgram, _ call: String, _ arguments: UInt64...) throws -> Bool
  {
    let number = try #require(SystemCallTable.native.numbers[call], "\(call)")
    let padded = arguments + Array(repeating: 0, count: 6 - arguments.count)
    return try program.verdict(.init(number: UInt32(number), arguments: padded)) == .allow
  }

  @Test(arguments: SeccompCompilerTests.policies, [true, false])
  func `denies calls on files and processes of the user that Landlock does not restrict`(
    name: String,
    scoped: Bool
  ) throws {
    let program = try Self.program(name, signalsAreScoped: scoped)
    for call in [
      "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "fchownat", "lchown", "utime", "utimes",
      "futimesat", "utimensat", "getxattr", "lgetxattr", "listxattr", "llistxattr", "inotify_init1",
      "inotify_add_watch", "setsid", "setpgid", "pidfd_open", "shmget", "semget", "msgget", "mq_open",
      "socket",
      "ptrace", "process_vm_readv",
    ] where SystemCallTable.native.numbers[call] != nil {
      #expect(try !Self.passes(program, call, 1, 0o600, 0o600, 0o600), "\(call)")
    }
  }

  @Test(arguments: [true, false])
  func `a process can change only its own scheduling and limits`(scoped: Bool) throws {
    let program = try Self.program("base", signalsAreScoped: scoped)
    for call in [
      "prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr",
    ] {
      #expect(try Self.passes(program, call, 0), "\(call)")
      #expect(try !Self.passes(program, call, 4321), "\(call)")
    }
    #expect(try Self.passes(program, "setpriority", 0, 0, 5))
    for (which, who) in [(0, 4321), (1, 0), (2, 0), (2, 1000)] as [(UInt64, UInt64)] {
      #expect(try !Self.passes(program, "setpriority", which, who, 5))
    }
    #expect(try !Self.passes(program, "prctl", 1, 0))
    #expect(try Self.passes(program, "prctl", 15))
  }

  @Test func `fcntl allows its common commands and denies signals, leases and notifications`() throws {
    let program = try Self.program("base", signalsAreScoped: true)
    for command in [0, 1, 2, 3, 4, 5, 6, 7, 1030, 1033, 1034] as [UInt64] {
      #expect(try Self.passes(program, "fcntl", 3, command), "\(command)")
    }
    for command in [8, 15, 1024, 1026, 1031, 8 | 1 << 32] as [UInt64] {
      #expect(try !Self.passes(program, "fcntl", 3, command, 1), "\(command)")
    }
  }

  @Test func `allows signals only to the own process group if Landlock cannot scope signals`() throws {
    let scoped = try Self.program("base", signalsAreScoped: true)
    let closed = try Self.program("base", signalsAreScoped: false)
    for call in ["kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal"] {
      #expect(try Self.passes(scoped, call, 4321, 9), "\(call)")
      #expect(try !Self.passes(closed, call, 4321, 9), "\(call)")
      #expect(try !Self.passes(closed, call, .max, 9), "\(call)")
    }
    #expect(try Self.passes(closed, "kill", 0, 15))
    #expect(try !Self.passes(closed, "tgkill", 0, 0, 15))
  }

  @Test(arguments: SeccompCompilerTests.policies)
  func `allows nothing that the policy denies`(name: String) throws {
    let policy = try #require(try PolicyLibrary(texts: ShippedPolicies.texts).policy(named: name))
    let whole = FilterProgram(try SeccompCompiler.compile(policy))
    for scoped in [true, false] {
      let program = try Self.program(name, signalsAreScoped: scoped)
      var numbers = DeterministicGenerator(state: 23)
      let values = SeccompCompilerTests.boundaryValues(policy)
      for number in SystemCallTable.native.names.keys {
        for _ in 0..<40 {
          let arguments = (0..<6).map { _ in values.randomElement(using: &numbers) ?? 0 }
          let call = FilterProgram.Call(number: UInt32(number), arguments: arguments)
          if try program.verdict(call) == .allow { #expect(try whole.verdict(call) == .allow, "\(number)") }
        }
      }
    }
  }
}
