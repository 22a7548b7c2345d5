// SPDX-License-Identifier: Apache-2.0

import LaunchPlanning
import Refusals
import SandboxPolicy
import TestSupport
import Testing

/// The sentences that the README shows of refused calls are those that a reader gets.
@Suite(.waiting) struct RefusalExampleTests {
  /// One call of the README's examples, as Python makes it on Linux.
  private struct Example: CustomTestStringConvertible {
    /// The call's name.
    var call: String
    /// The program that makes it.
    var program = "python3"
    /// Its arguments.
    var arguments: [UInt64]
    /// The thread that the README names.
    var thread: Int32

    var testDescription: String { call }
  }

  private static let examples = [
    // AF_INET, SOCK_STREAM|SOCK_CLOEXEC.
    Example(call: "socket", arguments: [2, 0x80001, 0, 0, 0, 0], thread: 4711),
    Example(call: "shmget", program: "perl", arguments: [0, 4096, 0o600, 0, 0, 0], thread: 4712),
  ]

  @Test(arguments: examples)
  private func `the README shows the sentence that the call gets`(example: Example) throws {
    let denied = DeniedCall(
      number: try #require(SystemCallTable.native.numbers[example.call]),
      arguments: example.arguments,
      thread: example.thread,
      program: example.program,
      at: 0
    )
    let sentence = Refusal(denied, policy: try PolicyFinder.find("capture").policy).sentence
    // The README breaks lines where there is a space.
    let text = try SourceTree.text("README.md").replacing("\n", with: " ")
    #expect(text.contains("darkroom: \(sentence) "), "\(sentence)")
  }
}
