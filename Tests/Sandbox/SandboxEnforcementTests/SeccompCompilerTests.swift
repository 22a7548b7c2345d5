// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import Policies
import SandboxEnforcement
import SandboxPolicy
import Testing

/// A shipped policy with its compiled program.
struct CompiledPolicy {
  let policy: ResolvedPolicy
  let program: FilterProgram

  init(_ name: String) throws {
    let library = try PolicyLibrary(texts: ShippedPolicies.texts)
    policy = try #require(try library.policy(named: name))
    program = FilterProgram(try SeccompCompiler.compile(policy))
  }

  /// Whether the rules of the policy allow a call.
  func isAllowed(_ call: String, _ arguments: [UInt64]) -> Bool {
    policy.rules(for: call).contains { rule in
      rule.conditions.allSatisfy {
        UInt32(truncatingIfNeeded: arguments[$0.index]) & $0.mask == $0.value
      }
    }
  }
}

/// A deterministic pseudorandom generator (SplitMix64).
struct DeterministicGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

@Suite struct SeccompCompilerTests {
  static let policies = ["base", "capture", "strict"]

  /// The verdicts of denied calls that differ from the default.
  static let answers: [String: FilterProgram.Verdict] = [
    "clone3": .notImplemented, "setxattr": .notSupported, "lsetxattr": .notSupported,
    "fsetxattr": .notSupported,
    "setxattrat": .notSupported, "getxattr": .notSupported, "lgetxattr": .notSupported,
    "getxattrat": .notSupported, "listxattr": .notSupported, "llistxattr": .notSupported,
    "listxattrat": .notSupported, "sysinfo": .notImplemented,
  ]

  /// Returns values that rules of the policy compare with, and boundary values.
  static func boundaryValues(_ policy: ResolvedPolicy) -> [UInt64] {
    let compared = policy.calls.flatMap(\.conditions).flatMap { [UInt64($0.value), UInt64($0.mask)] }
    return Set(compared).sorted() + [0, 1, 2, 0o755, 0o4755, 0x5412, .max, 1 << 32, 1 << 31]
  }

  @Test(arguments: policies)
  func `the verdict for every call matches the rules of the policy`(name: String) throws {
    let compiled = try CompiledPolicy(name)
    let values = Self.boundaryValues(compiled.policy)
    var numbers = DeterministicGenerator(state: 7)
    for (call, number) in SystemCallTable.native.numbers {
      for round in 0..<80 {
        let arguments = (0..<6).map { _ -> UInt64 in
          let value = values.randomElement(using: &numbers) ?? 0
          return round % 4 == 0 ? numbers.next() : value | (round % 4 == 1 ? 1 << 32 : 0)
        }
        let expected =
          compiled.isAllowed(call, arguments) ? .allow : Self.answers[call] ?? .notPermitted
        let verdict = try compiled.program.verdict(
          .init(
            number: UInt32(number),
            architecture: MachineArchitecture.native.auditArchitecture,
            arguments: arguments
          )
        )
        #expect(verdict == expected, "\(call) \(arguments)")
      }
    }
  }

  @Test(arguments: policies)
  func `unassigned call numbers fail with ENOSYS`(name: String) throws {
    let program = try CompiledPolicy(name).program
    let table = SystemCallTable.native
    for number in 0...1024 where table.names[number] == nil {
      #expect(try program.verdict(number) == .notImplemented, "\(number)")
    }
    #expect(try program.verdict(0x3FFF_FFFF) == .notImplemented)
    #expect(try program.verdict(-1) == .notImplemented)
  }

  @Test(arguments: policies)
  func `a call of another architecture kills the process`(name: String) throws {
    let program = try CompiledPolicy(name).program
    let foreign: [UInt32] = [0x4000_0003, 0x4000_0028, 0xC000_00F3, 0, .max]
    for architecture in foreign where architecture != MachineArchitecture.native.auditArchitecture {
      for number in [UInt32(0), 1, 59, 102, 359, .max] {
        let call = FilterProgram.Call(number: number, architecture: architecture)
        #expect(try program.verdict(call) == .killProcess)
      }
    }
  }

  @Test(
    .enabled(if: MachineArchitecture.native == .x86, "x32 exists on x86-64 only"),
    arguments: policies
  )
  func `an x32 call kills the process`(name: String) throws {
    let program = try CompiledPolicy(name).program
    for number in [0, 1, 59, 512, 545, 0x3FFF_FFFE] {
      #expect(try program.verdict(0x4000_0000 | number) == .killProcess)
    }
    #expect(try program.verdict(0x8000_0000) == .killProcess)
  }

  @Test(arguments: policies)
  func `never allows a call that the policy core forbids`(name: String) throws {
    let compiled = try CompiledPolicy(name)
    var numbers = DeterministicGenerator(state: 11)
    let values = Self.boundaryValues(compiled.policy)
    for call in PolicyCore.area.keys {
      guard let number = SystemCallTable.native.numbers[call] else { continue }
      for _ in 0..<200 {
        let arguments = (0..<6).map { _ in values.randomElement(using: &numbers) ?? numbers.next() }
        let verdict = try compiled.program.verdict(.init(number: UInt32(number), arguments: arguments))
        #expect(verdict == (Self.answers[call] ?? .notPermitted), "\(call)")
      }
    }
  }

  @Test(arguments: policies)
  func `denies TIOCSTI even with upper bits that the kernel ignores`(
    name: String
  ) throws {
    let compiled = try CompiledPolicy(name)
    let ioctl = try #require(SystemCallTable.native.numbers["ioctl"])
    let request: UInt64 = 0x5412
    for high in [0, 1 << 32, 0xFFFF_FFFF << 32] as [UInt64] {
      #expect(try compiled.program.verdict(ioctl, 0, request | high) == .notPermitted)
      #expect(try compiled.program.verdict(ioctl, 0, 0x5401 | high) == .allow)
    }
  }

  @Test(arguments: policies)
  func `clone creates threads and no namespaces`(name: String) throws {
    let compiled = try CompiledPolicy(name)
    let clone = try #require(SystemCallTable.native.numbers["clone"])
    // The flags of the C library for a new thread.
    let thread: UInt64 = 0x3D_0F00
    #expect(try compiled.program.verdict(clone, thread) == .allow)
    for bit in 0..<32 where PolicyCore.namespaceFlags >> UInt32(bit) & 1 == 1 {
      #expect(try compiled.program.verdict(clone, thread | 1 << UInt64(bit)) == .notPermitted)
      #expect(try compiled.program.verdict(clone, 17 | 1 << UInt64(bit)) == .notPermitted)
    }
  }

  @Test func `refuses to create files with set-user-ID or set-group-ID bits`() throws {
    let compiled = try CompiledPolicy("base")
    let openat = try #require(SystemCallTable.native.numbers["openat"])
    let create: UInt64 = 0o101
    #expect(try compiled.program.verdict(openat, 0, 0, create, 0o644) == .allow)
    #expect(try compiled.program.verdict(openat, 0, 0, create, 0o4755) == .notPermitted)
    #expect(try compiled.program.verdict(openat, 0, 0, 0o20200000, 0o2755) == .notPermitted)
    // Without O_CREAT, the mode register has an arbitrary value.
    #expect(try compiled.program.verdict(openat, 0, 0, 0o2000000, .max) == .allow)
  }

  @Test func `the strict policy executes one descriptor by number and nothing else`() throws {
    let compiled = try CompiledPolicy("strict")
    let execve = try #require(SystemCallTable.native.numbers["execve"])
    let execveat = try #require(SystemCallTable.native.numbers["execveat"])
    let number = UInt64(compiled.policy.limits.descriptors)
    #expect(try compiled.program.verdict(execve) == .notPermitted)
    #expect(try compiled.program.verdict(execveat, number, 0, 0, 0, 0x1000) == .allow)
    #expect(try compiled.program.verdict(execveat, number, 0, 0, 0, 0) == .notPermitted)
    #expect(try compiled.program.verdict(execveat, number - 1, 0, 0, 0, 0x1000) == .notPermitted)
    #expect(try compiled.program.verdict(execveat, 0xFFFF_FF9C, 0, 0, 0, 0x1000) == .notPermitted)
  }

  @Test func `does not compile a policy that violates the core`() throws {
    var policy = try CompiledPolicy("strict").policy
    let origin = PolicyOrigin(source: "own.json", position: TextPosition(line: 3, column: 5))
    policy.calls.append(SyscallRule(call: "socket", origin: origin))
    let error = #expect(throws: SeccompError.self) { try SeccompCompiler.compile(policy) }
    #expect(
      error?.description
        == #"own.json:3:5: "socket" can never be allowed: a session has no network, and no sockets "#
        + #"to processes outside; remove "socket""#
    )
  }

  @Test func `a cache returns its entries and respects its capacity`() throws {
    let cache = SeccompFilterCache(capacity: 1)
    for _ in 0..<2 {
      for name in ["strict", "base"] {
        let policy = try CompiledPolicy(name).policy
        #expect(cache.filter(for: policy) == nil)
        let filter = try SeccompCompiler.compile(policy)
        #expect(filter.count > 50 && filter.count * 8 == filter.instructions.count)
        cache.insert(filter, for: policy)
        #expect(cache.filter(for: policy) == filter)
        #expect(cache.count == 1)
      }
    }
  }
}
