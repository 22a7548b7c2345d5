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
  /// What a program gets that makes the calls by itself: the number of the error, or the end of the process.
  private static let calls: [(name: String, answer: String, verdict: Int32)] = [
    ("uretprobe", "SIGILL", KernelVerdicts.killed), ("uprobe", "ENXIO", 6),
  ]

  @Test func `explain names the answer of the kernel, and that the host is not told`() throws {
    let policy = try WordsFixture.shipped("strict")
    for (name, answer, _) in Self.calls {
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
    var numbers: [UInt32] = [337, 39]
    for call in Self.calls { numbers.append(try #require(CallTable.of(.x86).number(of: call.name))) }
    let mark = UInt64(KernelVerdicts.mark) << 32
    let calls: [UInt64] = numbers.flatMap { number in [UInt64(number), 0, 0, 0, 0, 0, mark] }
    let verdicts = try KernelVerdicts.verdicts(of: [.init(filters: [filter.bytes], calls: calls)])
    try #require(verdicts.count == numbers.count)
    for (call, verdict) in zip(Self.calls, verdicts.dropFirst(2)) {
      // A kernel without the exception asks the filter.
      #expect([call.verdict, 1].contains(verdict), "\(call.name) \(verdict)")
    }
    #expect(verdicts.prefix(2) == [1, 1])
  }
}
