// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import SandboxEnforcement
import SandboxPolicy
import SystemCalls
import Testing

/// The tables of all architectures, compared with libseccomp, the compiler's table and the kernel.
@Suite struct TableAgreementTests {
  /// Returns libseccomp's token of an architecture.
  static func token(_ architecture: CallArchitecture) -> UInt32 {
    // The corresponding constant is `SCMP_ARCH_X32`.
    architecture == .x32 ? 0x4000_003E : architecture.auditArchitecture
  }

  /// Calls that have a different name in libseccomp than in the kernel.
  static let renamed: Set<String> = ["arm_sync_file_range"]

  @Test(arguments: CallArchitecture.allCases)
  func `assigns the same number as libseccomp to each call`(architecture: CallArchitecture) {
    var agreed = 0
    for name in CallTable.of(architecture).names where !Self.renamed.contains(name) {
      guard let other = LibseccompSystemCalls.number(of: name, token: Self.token(architecture)) else {
        continue
      }
      #expect(CallTable.of(architecture).number(of: name).map(Int.init) == other, "\(name)")
      agreed += 1
    }
    #expect(agreed > 280)
  }

  @Test(arguments: CallArchitecture.allCases)
  func `contains every call of libseccomp for each architecture`(architecture: CallArchitecture) {
    let table = CallTable.of(architecture)
    let first = architecture == .x32 ? CallArchitecture.x32Bit : 0
    var agreed = 0
    for number in first...(first + 700) {
      guard let name = LibseccompSystemCalls.name(of: Int(number), token: Self.token(architecture)) else {
        continue
      }
      #expect(
        table.name(of: number) == name || Self.renamed.contains(table.name(of: number) ?? ""),
        "\(number) \(name)"
      )
      agreed += 1
    }
    #expect(agreed > 280)
  }

  @Test(arguments: [(MachineArchitecture.x86, CallArchitecture.x86), (.arm, .arm64)])
  func `matches the table of the compiler`(machine: MachineArchitecture, architecture: CallArchitecture) {
    let one = SystemCallTable(machine).numbers
    let other = CallTable.of(architecture)
    #expect(one.keys.sorted() == other.names)
    for (name, number) in one { #expect(other.number(of: name).map(Int.init) == number, "\(name)") }
  }

  @Test(arguments: ["base", "capture", "strict"])
  func `unassigned numbers fail with ENOSYS and other refused calls with EPERM`(
    policy: String
  ) throws {
    let filter = try SeccompCompiler.compile(try CompiledPolicy(policy).policy)
    let space = CallSpace()
    let behavior = try space.behavior(of: try FilterAnalysis.FilterProgram(bytes: filter.instructions))
    let token = CallArchitecture.native.auditArchitecture
    let absent = try behavior.inputs { $0 == .errno(38) }.numbers(on: token)
    let refused = try behavior.inputs { $0 != .errno(38) }.numbers(on: token)
    let table = CallTable.of(.native)
    for number in UInt32(0)...2000 where table.name(of: number) == nil {
      #expect(
        absent.contains { $0.contains(number) } && !refused.contains { $0.contains(number) },
        "\(number)"
      )
    }
    for number in table.numbers where absent.contains(where: { $0.contains(number) }) {
      #expect(["clone3", "sysinfo"].contains(table.name(of: number) ?? ""), "\(number)")
    }
    // Above the table, only x32 numbers are answered differently.
    let last = table.numbers.last ?? 0
    #expect(
      refused.filter { $0.lowerBound > last }
        == (CallArchitecture.native == .x86 ? [0x4000_0000...0xFFFF_FFFE] : [])
    )
  }
}
