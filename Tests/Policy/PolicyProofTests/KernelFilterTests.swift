// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import PolicyProof
import SandboxEnforcement
import SandboxPolicy
import SystemCalls
import TestSupport
import Testing

/// Runs the filters of the shipped policies in the kernel: every number, with boundary values of every
/// condition.
@Suite(.timeLimit(.minutes(20)))
struct KernelFilterTests {
  @Test(arguments: ShippedFixture.names)
  func `the kernel answers every call number as proved`(name: String) throws {
    let filter = try SeccompCompiler.compile(try ShippedFixture.policy(name)).instructions
    let behavior = try CallSpace().behavior(of: FilterProgram(bytes: filter))
    // The kernel exempts two calls of its own trampolines from filters (since Linux 6.14). From any other
    // address these calls terminate the process.
    let unfiltered = Set(["uretprobe", "uprobe"].compactMap { CallTable.of(.native).number(of: $0) })
    // Calls of x32 terminate the process, so the test tries only a few of them.
    let numbers =
      (UInt32(0)...1100).filter { !unfiltered.contains($0) } + [
        .max, UInt32.max - 1, 0x3FFF_FFFF, 0x4000_0000, 0x4000_0029, 0x8000_0000,
      ]
    let boundaryValues: [UInt64] = [
      0, 1, 2, 0x5401, 0x5412, 0x10000, 0x7E02_0080, 0xFFFF_FFFF, 0x1_0000_0000, .max,
    ]
    let mark = UInt64(KernelVerdicts.argumentMarker) << 32
    var inputs: [SeccompData] = []
    for number in numbers {
      let isForeign = number >= 0x4000_0000 && number != .max
      for value in isForeign ? [0] : boundaryValues {
        let arguments = [value, value, value, value, value, mark | value & 0xFFFF_FFFF]
        inputs.append(
          SeccompData(
            architecture: CallArchitecture.native.auditArchitecture,
            number: number,
            arguments: arguments
          )
        )
      }
    }
    let group = KernelVerdicts.Group(
      filters: [filter],
      calls: inputs.flatMap { [UInt64($0.number)] + $0.arguments }
    )
    let answers = try KernelVerdicts.verdicts(of: [group])
    try #require(answers.count == inputs.count)
    var seen: Set<Int32> = []
    for (input, answer) in zip(inputs, answers) {
      let expected: Int32 =
        switch behavior.verdict(for: input) {
        case .errno(let number): Int32(number)
        case .allow: KernelVerdicts.allowed
        case .killProcess: KernelVerdicts.killed
        case let other: throw UnexpectedVerdict(verdict: other)
        }
      try #require(answer == expected, "\(input.text)")
      seen.insert(answer)
    }
    #expect(seen.isSuperset(of: [1, 38, KernelVerdicts.allowed]))
    #expect(CallArchitecture.native != .x86 || seen.contains(KernelVerdicts.killed))
  }

  /// A verdict that no compiled policy returns.
  private struct UnexpectedVerdict: Error {
    var verdict: Verdict
  }
}
