// SPDX-License-Identifier: Apache-2.0

import LaunchPlanning
import Refusals
import SandboxPolicy
import TestSupport
import Testing

/// Tests that the tutorial on audits shows the actual messages for refused calls.
@Suite(.waiting) struct RefusalExampleTests {
  /// A refused call that the tutorial shows, with the arguments that Python or Perl passes on Linux.
  private struct Example: CustomTestStringConvertible {
    /// The call's name.
    var call: String
    /// The program that makes the call.
    var program = "python3"
    /// The call's arguments.
    var arguments: [UInt64]
    /// The thread ID in the tutorial.
    var thread: Int32

    var testDescription: String { call }
  }

  private static let examples = [
    // AF_INET, SOCK_STREAM|SOCK_CLOEXEC.
    Example(call: "socket", arguments: [2, 0x80001, 0, 0, 0, 0], thread: 4711),
    Example(call: "shmget", program: "perl", arguments: [0, 4096, 0o600, 0, 0, 0], thread: 4712),
  ]

  @Test(arguments: examples)
  private func `the tutorial shows the message that a refused call produces`(example: Example) throws {
    let denied = DeniedCall(
      number: try #require(SystemCallTable.native.numbers[example.call]),
      arguments: example.arguments,
      thread: example.thread,
      program: example.program,
      at: 0
    )
    let sentence = Refusal(denied, policy: try PolicyFinder.find("capture").policy).sentence
    // The tutorial wraps lines at spaces.
    let tutorial = "Sources/Darkroom.docc/Tutorials/AuditExtension.md"
    let text = try SourceTree.text(tutorial).replacing("\n", with: " ")
    #expect(text.contains("darkroom: \(sentence) "), "\(sentence)")
  }
}
