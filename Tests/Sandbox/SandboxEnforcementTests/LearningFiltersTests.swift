// SPDX-License-Identifier: Apache-2.0

import JSONText
import Policies
import SandboxEnforcement
import SandboxPolicy
import Testing

/// The two filters of a learning session.
@Suite struct LearningFiltersTests {
  /// The original filter and the pair of filters.
  private struct Programs {
    let original, first, closing: FilterProgram

    init(_ policy: String, _ scope: LearningScope) throws {
      let library = try PolicyLibrary(texts: ShippedPolicies.texts)
      let filter = try SeccompCompiler.compile(try #require(try library.policy(named: policy)))
      let pair = ReportingFilters(
        learning: scope,
        from: filter.instructions,
        mark: ReportingFiltersTests.mark
      )
      original = FilterProgram(filter)
      first = FilterProgram(pair.first)
      closing = FilterProgram(pair.closing)
    }

    /// Returns the verdict of two filters: the stricter one applies (seccomp(2)).
    func combinedVerdict(_ call: FilterProgram.Call) throws -> FilterProgram.Verdict {
      let answers = [try closing.verdict(call), try first.verdict(call)]
      if answers.contains(.killProcess) { return .killProcess }
      if let failure = answers.first(where: { if case .fail = $0 { true } else { false } }) { return failure }
      return answers.contains(.report) ? .report : .allow
    }
  }

  /// Values that affect the verdict of some call.
  private static let values: [UInt64] =
    [0, 1, 2, 8, 0x11, 0x5401, 0x5412, 0x4008_6602, 0o755, 0o4755, 1 << 32, 0xFFFF_FFFF, .max, 0x1000_0000]
    + [0x0002_0000, 0x80, 0x1_0000_5412]

  /// Every assigned number and some unassigned ones, each with many arguments.
  private static func eachCall(_ body: (FilterProgram.Call, String?) throws -> Void) rethrows {
    var random = DeterministicGenerator(state: 11)
    let table = SystemCallTable.native
    for number in Array(0...UInt32(table.newest + 20)) + [.max, 0x4000_0001, 1 << 31] {
      for _ in 0..<24 {
        let arguments = (0..<6).map { _ in values.randomElement(using: &random) ?? 0 }
        try body(.init(number: number, arguments: arguments), table.names[Int(number)])
      }
    }
  }

  /// Whether a policy could allow a call: a rule with exactly these arguments does not violate the core.
  private static func canBeAllowed(_ call: String, _ arguments: [UInt64]) -> Bool {
    let conditions = arguments.enumerated().map {
      ArgumentCondition(index: $0, value: UInt32(truncatingIfNeeded: $1))
    }
    let origin = PolicyOrigin(source: "test", position: .init(line: 1, column: 1))
    return PolicyCore.violation(of: SyscallRule(call: call, conditions: conditions, origin: origin)) == nil
  }

  @Test(arguments: ["base", "strict"], [LearningScope.refusedCalls, .everyCall])
  func `refuses calls that no policy can allow and reports or allows all others`(
    policy: String,
    scope: LearningScope
  ) throws {
    let programs = try Programs(policy, scope)
    try Self.eachCall { call, name in
      let found = try programs.combinedVerdict(call)
      guard let name else {
        #expect(found == (try programs.original.verdict(call)), "\(call)")
        return
      }
      if Self.canBeAllowed(name, call.arguments) {
        let isAllowed = try programs.original.verdict(call) == .allow
        let isReported = !isAllowed || scope == .everyCall && !LearningScope.unreportedCalls.contains(name)
        #expect(found == (isReported ? .report : .allow), "\(name) \(call)")
      } else {
        #expect(found == (name == "clone3" ? .notImplemented : .notPermitted), "\(name) \(call)")
      }
    }
  }

  @Test(arguments: [LearningScope.refusedCalls, .everyCall])
  func
    `the launcher calls pass the first filter without a report`(
      scope: LearningScope
    ) throws
  {
    let programs = try Programs("capture", scope)
    let table = SystemCallTable.native.numbers
    for name in LauncherCalls.names {
      let call = FilterProgram.Call(
        number: UInt32(try #require(table[name])),
        arguments: [9, 0, 0, 0, 0, ReportingFiltersTests.mark]
      )
      #expect(try programs.first.verdict(call) == .allow, "\(name)")
      let isReported = scope == .everyCall && !LearningScope.unreportedCalls.contains(name)
      let isAllowedWithoutReport = try !isReported && programs.original.verdict(call) == .allow
      #expect(try isAllowedWithoutReport || programs.combinedVerdict(call) == .killProcess, "\(name)")
    }
    for name in LearningScope.unreportedCalls {
      #expect(try programs.first.verdict(try #require(table[name]), 9) == .allow, "\(name)")
    }
  }

  @Test(arguments: [LearningScope.refusedCalls, .everyCall])
  func `a call of another architecture kills the program`(scope: LearningScope) throws {
    let programs = try Programs("base", scope)
    for number in [1, 41, 46] as [UInt32] {
      let call = FilterProgram.Call(number: number, architecture: 0x4000_0003)
      #expect(try programs.combinedVerdict(call) == .killProcess)
    }
  }
}
