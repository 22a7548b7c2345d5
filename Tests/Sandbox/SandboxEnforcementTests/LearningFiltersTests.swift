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
    func together(_ call: FilterProgram.Call) throws -> FilterProgram.Verdict {
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
    var random = FixedNumbers(state: 11)
    let table = SystemCallTable.native
    for number in Array(0...UInt32(table.newest + 20)) + [.max, 0x4000_0001, 1 << 31] {
      for _ in 0..<24 {
        let arguments = (0..<6).map { _ in values.randomElement(using: &random) ?? 0 }
        try body(.init(number: number, arguments: arguments), table.names[Int(number)])
      }
    }
  }

  /// Whether a policy could allow a call: a rule with exactly these arguments does not violate the core.
  private static func couldBeAllowed(_ call: String, _ arguments: [UInt64]) -> Bool {
    let conditions = arguments.enumerated().map {
      ArgumentCondition(index: $0, value: UInt32(truncatingIfNeeded: $1))
    }
    let origin = PolicyOrigin(source: "test", position: .init(line: 1, column: 1))
    return PolicyCore.violation(of: SyscallRule(call: call, conditions: conditions, origin: origin)) == nil
  }

  @Test(arguments: ["base", "strict"], [LearningScope.refusedCalls, .everyCall])
  func `what no policy can allow is refused without a question, and everything else is asked or allowed`(
    policy: String,
    scope: LearningScope
  ) throws {
    let programs = try Programs(policy, scope)
    try Self.eachCall { call, name in
      let found = try programs.together(call)
      guard let name else {
        #expect(found == (try programs.original.verdict(call)), "\(call)")
        return
      }
      if Self.couldBeAllowed(name, call.arguments) {
        let isAllowed = try programs.original.verdict(call) == .allow
        let isAsked = !isAllowed || scope == .everyCall && !LearningScope.unaskedCalls.contains(name)
        #expect(found == (isAsked ? .report : .allow), "\(name) \(call)")
      } else {
        #expect(found == (name == "clone3" ? .notImplemented : .notPermitted), "\(name) \(call)")
      }
    }
  }

  @Test(arguments: [LearningScope.refusedCalls, .everyCall])
  func
    `the launcher sends the listener, installs the second filter and starts the program without being asked`(
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
      let isAsked = scope == .everyCall && !LearningScope.unaskedCalls.contains(name)
      let isEverybodys = try !isAsked && programs.original.verdict(call) == .allow
      #expect(try isEverybodys || programs.together(call) == .killProcess, "\(name)")
    }
    for name in LearningScope.unaskedCalls {
      #expect(try programs.first.verdict(try #require(table[name]), 9) == .allow, "\(name)")
    }
  }

  @Test(arguments: [LearningScope.refusedCalls, .everyCall])
  func `calls of another architecture end the program all the same`(scope: LearningScope) throws {
    let programs = try Programs("base", scope)
    for number in [1, 41, 46] as [UInt32] {
      let call = FilterProgram.Call(number: number, architecture: 0x4000_0003)
      #expect(try programs.together(call) == .killProcess)
    }
  }
}
