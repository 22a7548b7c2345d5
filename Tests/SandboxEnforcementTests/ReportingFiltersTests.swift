// SPDX-License-Identifier: Apache-2.0

import Policies
import SandboxEnforcement
import SandboxPolicy
import Testing

/// The two filters of a session whose host hears of refusals.
@Suite struct ReportingFiltersTests {
  /// The flags by which the two calls between the filters are known; any would do.
  static let sending: UInt32 = 0xC8C4, closing: UInt32 = 2

  /// The original and the pair, ready to be run.
  struct Programs {
    let original, first, closing: FilterProgram

    init(_ policy: String) throws {
      let library = try PolicyLibrary(texts: ShippedPolicies.texts)
      let filter = try SeccompCompiler.compile(try #require(try library.policy(named: policy)))
      let pair = ReportingFilters(
        filter.instructions,
        sendingFlags: ReportingFiltersTests.sending,
        closingFlags: ReportingFiltersTests.closing
      )
      original = FilterProgram(filter)
      first = FilterProgram(pair.first)
      closing = FilterProgram(pair.closing)
    }

    /// What the kernel does with two filters: the stricter answer counts (seccomp(2)).
    func together(_ call: FilterProgram.Call) throws -> FilterProgram.Verdict {
      let answers = [try first.verdict(call), try closing.verdict(call)]
      for strict in [FilterProgram.Verdict.killProcess] where answers.contains(strict) { return strict }
      if let failure = answers.first(where: { if case .fail = $0 { true } else { false } }) { return failure }
      return answers.contains(.report) ? .report : .allow
    }
  }

  @Test(arguments: ["base", "capture", "strict"])
  func `together they refuse what the original refuses, and report it`(policy: String) throws {
    let programs = try Programs(policy)
    var random = FixedNumbers(state: 3)
    let numbers = Array(0...UInt32(SystemCallTable.native.newest + 20)) + [.max, 0x4000_0001, 1 << 31]
    let values: [UInt64] = [0, 1, 2, 0x5401, 0x5412, 0o755, 0o4755, UInt64(Self.sending), 1 << 32, .max]
    for number in numbers {
      for _ in 0..<16 {
        let call = FilterProgram.Call(
          number: number,
          arguments: (0..<6).map { _ in values.randomElement(using: &random) ?? 0 }
        )
        let expected = try programs.original.verdict(call)
        let found = try programs.together(call)
        let isMended = expected == .notPermitted && (found == .report || found == .notPermitted)
        #expect(found == expected && expected != .notPermitted || isMended, "\(call): \(expected) \(found)")
      }
    }
  }

  @Test func `the two calls between the filters pass the first alone, and no other of their kind does`()
    throws
  {
    let programs = try Programs("base")
    let table = SystemCallTable.native.numbers
    let send = try #require(table["sendmsg"]), seccomp = try #require(table["seccomp"])
    let sending = UInt64(Self.sending), closing = UInt64(Self.closing)
    #expect(try programs.first.verdict(send, 9, 0x1000, sending) == .allow)
    #expect(try programs.closing.verdict(send, 9, 0x1000, sending) == .notPermitted)
    #expect(try programs.first.verdict(seccomp, 1, closing, 0x1000) == .allow)
    #expect(try programs.closing.verdict(seccomp, 1, closing, 0x1000) == .notPermitted)
    for flags in [0, sending - 1, sending | 1, 0x4000] {
      #expect(try programs.first.verdict(send, 9, 0x1000, flags) == .report)
    }
    for (operation, flags) in [(1, 0), (1, 8), (1, closing | 8), (0, closing), (2, closing)]
      as [(UInt64, UInt64)]
    {
      #expect(try programs.first.verdict(seccomp, operation, flags, 0x1000) == .report)
    }
  }

  @Test func `calls of another architecture end the program all the same`() throws {
    let programs = try Programs("base")
    let call = FilterProgram.Call(
      number: 46,
      architecture: 3,
      arguments: [9, 0, UInt64(Self.sending), 0, 0, 0]
    )
    #expect(try programs.together(call) == .killProcess)
  }
}
