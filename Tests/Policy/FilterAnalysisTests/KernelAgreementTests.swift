// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import TestSupport
import Testing

/// Compares the verdicts of the kernel, the evaluator and the analysis for a million random calls.
@Suite(.timeLimit(.minutes(20)))
struct KernelAgreementTests {
  /// The number of random programs.
  private static let programs = 250
  /// The number of calls that are tried under each program.
  private static let calls = 4000

  #if arch(x86_64)
    /// The architecture of the calls that this process makes. The corresponding constant is `AUDIT_ARCH_X86_64`.
    private static let architecture: UInt32 = 0xC000_003E
  #else
    /// The architecture of the calls that this process makes. The corresponding constant is `AUDIT_ARCH_AARCH64`.
    private static let architecture: UInt32 = 0xC000_00B7
  #endif

  @Test func `kernel, evaluator and analysis agree on a million random calls`() throws {
    try Self.compare(.harmless, programs: Self.programs, calls: Self.calls, seed: 1)
  }

  @Test func `kernel, evaluator and analysis agree on calls that terminate the process`() throws {
    try Self.compare(.fatal, programs: 60, calls: 10, seed: 2)
  }

  /// Compares the verdicts on random calls under random programs.
  private static func compare(_ kind: RandomProgram.Kind, programs: Int, calls: Int, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var filters: [FilterProgram] = []
    var groups: [KernelVerdicts.Group] = []
    for index in 0..<programs {
      let random = try RandomProgram(kind, length: 20 + index % 60, using: &generator)
      let filter = try FilterProgram(prologue + random.program.instructions)
      var numbers: [UInt64] = []
      numbers.reserveCapacity(7 * calls)
      for _ in 0..<calls {
        let input = random.input(using: &generator)
        numbers.append(UInt64(input.number))
        numbers += input.arguments.dropLast()
        numbers.append(UInt64(KernelVerdicts.argumentMarker) << 32 | input.arguments[5] & 0xFFFF_FFFF)
      }
      filters.append(filter)
      groups.append(KernelVerdicts.Group(filters: [filter.bytes], calls: numbers))
    }
    let answers = try KernelVerdicts.verdicts(of: groups)
    try #require(answers.count == programs * calls)
    var analyzed = 0
    for (index, filter) in filters.enumerated() {
      let behavior = try? CallSpace(nodeLimit: 1 << 18, stepLimit: 1 << 22).behavior(of: filter)
      if behavior != nil { analyzed += 1 }
      for call in 0..<calls {
        let numbers = groups[index].calls[7 * call..<7 * call + 7]
        let input = SeccompData(
          architecture: architecture,
          number: UInt32(truncatingIfNeeded: numbers[numbers.startIndex]),
          arguments: Array(numbers.dropFirst())
        )
        let verdict = filter.verdict(for: input)
        let answer = answers[index * calls + call]
        guard answer == expected(verdict), behavior.map({ $0.verdict(for: input) == verdict }) ?? true else {
          Issue.record("\(input): kernel \(answer), evaluator \(verdict); \(filter.instructions)")
          return
        }
      }
    }
    #expect(analyzed > programs / 2)
  }

  /// Allows every call without the test mark, because the process must be able to exit.
  private static let prologue = [
    FilterInstruction(code: 0x20, value: 60),
    FilterInstruction(code: 0x15, ifTrue: 1, value: KernelVerdicts.argumentMarker),
    FilterInstruction(code: 0x06, value: 0x7FFF_0000),
  ]

  /// The result that the kernel shows; the supervisor answers every call that the filter allows.
  private static func expected(_ verdict: Verdict) -> Int32 {
    switch verdict {
    case .errno(let number): Int32(number)
    case .allow, .log, .notify, .trace: KernelVerdicts.allowed
    case .killProcess, .killThread, .trap, .unknown: KernelVerdicts.killed
    }
  }
}
