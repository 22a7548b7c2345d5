// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import PolicyWords
import SandboxPolicy
import SystemCalls
import TestSupport
import Testing

/// Calls that the kernel lets past every filter.
@Suite(
  .timeLimit(.minutes(20)),
  .enabled(if: CallArchitecture.native == .x86, "only x86_64 has uretprobe and uprobe")
)
struct BypassedCallTests {
  /// The calls with the answer of the kernel.
  private static let calls = [(name: "uretprobe", answer: "SIGILL"), (name: "uprobe", answer: "ENXIO")]

  @Test func `explain names the answer of the kernel, and that the host is not told`() throws {
    let policy = try WordsFixture.shipped("strict")
    for (name, answer) in Self.calls {
      let explanation = CallExplanation(of: try CallText.parse(name, on: .x86), under: policy)
      #expect(explanation.answer?.name == answer && explanation.answer?.isReported == false)
      let text = explanation.lines(width: 100).joined(separator: " ")
      #expect(text.contains("past every filter") && text.contains("No policy can allow it"), "\(text)")
    }
  }

  @Test func `under a filter that refuses every call the kernel answers as explain says`() throws {
    // The calls that are tried have a mark; the process needs the others.
    let filter = try FilterProgram([
      FilterInstruction(code: 0x20, value: 60),
      FilterInstruction(code: 0x15, ifFalse: 1, value: KernelVerdicts.mark),
      FilterInstruction(code: 0x06, value: 0x0005_0001), FilterInstruction(code: 0x06, value: 0x7FFF_0000),
    ])
    // Not uretprobe, whose signal would end the program that tries the calls.
    let uprobe = try #require(CallTable.of(.x86).number(of: "uprobe"))
    let mark = UInt64(KernelVerdicts.mark) << 32
    let calls: [UInt64] = [337, 39, uprobe].flatMap { number in [UInt64(number), 0, 0, 0, 0, 0, mark] }
    let verdicts = try KernelVerdicts.verdicts(of: [.init(filters: [filter.bytes], calls: calls)])
    #expect(verdicts.prefix(2) == [1, 1])
    // The corresponding constant is ENXIO. A kernel without the exception asks the filter.
    #expect(verdicts.last == 6 || verdicts.last == 1, "\(verdicts)")
  }
}
