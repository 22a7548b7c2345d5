// SPDX-License-Identifier: Apache-2.0

import Policies
import SandboxPolicy
import Testing

@testable import SandboxEnforcement

/// The two filters of a session whose host receives reports of refused calls.
@Suite struct ReportingFiltersTests {
  /// The sixth argument of the launcher's calls; the value is arbitrary.
  static let mark: UInt64 = 0x1234_5678_9ABC_DEF0

  /// The original filter and the pair of filters.
  struct Programs {
    let original, first, closing: FilterProgram

    init(_ policy: String) throws {
      let library = try PolicyLibrary(texts: ShippedPolicies.texts)
      let filter = try SeccompCompiler.compile(try #require(try library.policy(named: policy)))
      let pair = ReportingFilters(filter.instructions, mark: ReportingFiltersTests.mark)
      original = FilterProgram(filter)
      first = FilterProgram(pair.first)
      closing = FilterProgram(pair.closing)
    }

    /// Returns the verdict of two filters: the stricter one applies (seccomp(2)).
    func combinedVerdict(_ call: FilterProgram.Call) throws -> FilterProgram.Verdict {
      let answers = [try first.verdict(call), try closing.verdict(call)]
      for strict in [FilterProgram.Verdict.killProcess] where answers.contains(strict) { return strict }
      if let failure = answers.first(where: { if case .fail = $0 { true } else { false } }) { return failure }
      return answers.contains(.report) ? .report : .allow
    }
  }

  /// Arguments that affect the verdict of some call, and the mark as a whole and in halves.
  private static let values: [UInt64] = [
    0, 1, 2, 0x5401, 0x5412, 0o755, 0o4755, 1 << 32, .max, mark, mark & 0xFFFF_FFFF, mark & ~0xFFFF_FFFF,
    ~mark,
  ]

  @Test(arguments: ["base", "capture", "strict"])
  func `the two filters refuse what the original refuses and report it`(policy: String) throws {
    let programs = try Programs(policy)
    var random = DeterministicGenerator(state: 3)
    let numbers = Array(0...UInt32(SystemCallTable.native.newest + 20)) + [.max, 0x4000_0001, 1 << 31]
    for number in numbers {
      for _ in 0..<24 {
        let call = FilterProgram.Call(
          number: number,
          arguments: (0..<6).map { _ in Self.values.randomElement(using: &random) ?? 0 }
        )
        guard call.arguments[5] != Self.mark else { continue }
        let expected = try programs.original.verdict(call)
        #expect(
          try programs.combinedVerdict(call) == (expected == .notPermitted ? .report : expected),
          "\(call)"
        )
        #expect(try programs.closing.verdict(call) == .allow, "\(call)")
      }
    }
  }

  @Test(arguments: ["base", "capture", "strict"])
  func `the launcher calls pass the first filter and kill the program under the second`(policy: String)
    throws
  {
    let programs = try Programs(policy)
    var random = DeterministicGenerator(state: 5)
    var killed = 0
    for (number, name) in SystemCallTable.native.names {
      for _ in 0..<24 {
        var call = FilterProgram.Call(
          number: UInt32(number),
          arguments: (0..<6).map { _ in Self.values.randomElement(using: &random) ?? 0 }
        )
        call.arguments[5] = Self.mark
        let original = try programs.original.verdict(call)
        if LauncherCalls.names.contains(name) {
          #expect(try programs.first.verdict(call) == .allow, "\(name) \(call)")
          if try programs.combinedVerdict(call) == .killProcess { killed += 1 }
          #expect(try original == .allow || programs.combinedVerdict(call) == .killProcess, "\(name) \(call)")
        } else {
          #expect(
            try programs.combinedVerdict(call) == (original == .notPermitted ? .report : original),
            "\(name) \(call)"
          )
        }
      }
    }
    #expect(killed > 15 * 24)
  }

  /// The kernel caches the calls that a filter always allows, and skips the filter for them.
  @Test(arguments: ["base", "capture", "strict"])
  func `neither filter inspects a call that the original always allows`(
    policy: String
  ) throws {
    let library = try PolicyLibrary(texts: ShippedPolicies.texts)
    let filter = try SeccompCompiler.compile(try #require(try library.policy(named: policy))).instructions
    let pair = ReportingFilters(filter, mark: Self.mark)
    var always = 0
    for number in 0...UInt32(SystemCallTable.native.newest) where filter.allowsAlways(number) {
      always += 1
      #expect(pair.first.allowsAlways(number) && pair.closing.allowsAlways(number), "\(number)")
    }
    #expect(always > 80)
  }

  @Test func `a call of another architecture kills the program`() throws {
    let programs = try Programs("base")
    let call = FilterProgram.Call(
      number: 46,
      architecture: 3,
      arguments: [9, 0, 0, 0, 0, Self.mark]
    )
    #expect(try programs.combinedVerdict(call) == .killProcess)
  }
}

extension [UInt8] {
  /// Whether a program allows a call number without inspecting an argument.
  fileprivate func allowsAlways(_ number: UInt32) -> Bool {
    FilterInstruction.all(of: self).alwaysAllow(number, MachineArchitecture.native.auditArchitecture)
  }
}
