// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import PolicyExplanation
import SandboxPolicy
import SystemCalls
import TestSupport
import Testing

/// Calls that the kernel exempts from every filter.
@Suite(
  .timeLimit(.minutes(20)),
  .enabled(if: CallArchitecture.native == .x86, "only x86_64 has uretprobe and uprobe")
)
struct BypassedCallTests {
  /// The calls and the kernel's answers.
  private static let calls = [(name: "uretprobe", answer: "SIGILL"), (name: "uprobe", answer: "ENXIO")]

  @Test func `explain names the answer of the kernel and that the host is not notified`() throws {
    let policy = try PolicyFixture.shipped("strict")
    for (name, answer) in Self.calls {
      let explanation = CallExplanation(of: try CallText.parse(name, on: .x86), under: policy)
      #expect(explanation.answer?.name == answer && explanation.answer?.isReported == false)
      let text = explanation.lines(width: 100).joined(separator: " ")
      #expect(
        text.contains("without a filter decision") && text.contains("No policy can allow the call"),
        "\(text)"
      )
    }
  }

  @Test func `the kernel answers uprobe as explained even if a filter refuses every call`() throws {
    // Tested calls have a mark; the process needs all other calls.
    let filter = try FilterProgram([
      FilterInstruction(code: 0x20, value: 60),
      FilterInstruction(code: 0x15, ifFalse: 1, value: KernelVerdicts.argumentMarker),
      FilterInstruction(code: 0x06, value: 0x0005_0001), FilterInstruction(code: 0x06, value: 0x7FFF_0000),
    ])
    // The test omits uretprobe because its SIGILL would terminate the test program.
    let uprobe = try #require(CallTable.of(.x86).number(of: "uprobe"))
    let mark = UInt64(KernelVerdicts.argumentMarker) << 32
    let calls: [UInt64] = [337, 39, uprobe].flatMap { number in [UInt64(number), 0, 0, 0, 0, 0, mark] }
    let verdicts = try KernelVerdicts.verdicts(of: [.init(filters: [filter.bytes], calls: calls)])
    #expect(verdicts.prefix(2) == [1, 1])
    // The value 6 is ENXIO. A kernel without the exemption evaluates the filter.
    #expect(verdicts.last == 6 || verdicts.last == 1, "\(verdicts)")
  }
}
