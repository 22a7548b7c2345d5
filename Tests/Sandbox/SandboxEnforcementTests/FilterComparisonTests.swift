// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import PolicyExplanation
import SandboxEnforcement
import SandboxPolicy
import SystemCalls
import Testing

/// Comparisons of real filters: those of the policies, compiled in two ways, and filters with added
/// weaknesses.
@Suite struct FilterComparisonTests {
  private typealias Program = FilterAnalysis.FilterProgram

  /// The errno of calls that the compiler does not refuse with `EPERM`.
  static let answers: [String: UInt16] = [
    "clone3": 38, "sysinfo": 38, "setxattr": 95, "lsetxattr": 95, "fsetxattr": 95, "setxattrat": 95,
    "getxattr": 95,
    "lgetxattr": 95, "getxattrat": 95, "listxattr": 95, "llistxattr": 95, "listxattrat": 95,
  ]

  @Test(arguments: ["base", "capture", "strict"])
  func `two independently compiled programs of a policy behave identically`(name: String)
    throws
  {
    let policy = try CompiledPolicy(name).policy
    let one = try Program(bytes: try SeccompCompiler.compile(policy).instructions)
    let other = try ReferenceCompiler.program(policy, answers: Self.answers)
    #expect(other.instructions.count > 2 * one.instructions.count)
    let space = CallSpace()
    #expect(try space.behavior(of: one) == space.behavior(of: other))
    #expect(
      try BehaviorComparison(
        .init(space.behavior(of: one), under: .unknown),
        .init(space.behavior(of: other), under: .unknown)
      ).isEqual
    )
  }

  /// Policies with different filter layouts: a tree alone, and programs that are too large for short jumps
  /// from the tree to the argument checks.
  @Test(arguments: [0, 40, 120, 200])
  func `policies that compare many arguments are compiled correctly`(count: Int) throws {
    var policy = try CompiledPolicy("strict").policy
    let unconditional = policy.calls.indices.filter { policy.calls[$0].conditions.isEmpty }
    for (place, index) in unconditional.prefix(count).enumerated() {
      var rule = policy.calls[index]
      rule.conditions = [ArgumentCondition(index: place % 6, value: UInt32(place / 2))]
      policy.calls[index] = rule
    }
    let one = try Program(bytes: try SeccompCompiler.compile(policy).instructions)
    let other = try ReferenceCompiler.program(policy, answers: Self.answers)
    let space = CallSpace()
    #expect(try space.behavior(of: one) == space.behavior(of: other))
  }

  @Test func `finds each added rule with a call that only the weaker program allows`() throws {
    let policy = try CompiledPolicy("strict").policy
    let old = try Program(bytes: try SeccompCompiler.compile(policy).instructions)
    let origin = try #require(policy.calls.first).origin
    let addedRules = [
      SyscallRule(call: "socket", conditions: [ArgumentCondition(index: 0, value: 40)], origin: origin),
      SyscallRule(call: "ptrace", origin: origin),
      SyscallRule(call: "ioctl", conditions: [ArgumentCondition(index: 1, value: 0x5412)], origin: origin),
      SyscallRule(
        call: "clone",
        conditions: [ArgumentCondition(index: 0, mask: 0x1000_0000, value: 0x1000_0000)],
        origin: origin
      ),
      SyscallRule(call: "mmap", conditions: [ArgumentCondition(index: 2, mask: 6, value: 6)], origin: origin),
    ]
    for rule in addedRules {
      var weaker = policy
      weaker.calls.append(rule)
      let new = try ReferenceCompiler.program(weaker, answers: Self.answers)
      let space = CallSpace()
      let found = try BehaviorComparison(
        .init(space.behavior(of: old), under: .unknown),
        .init(space.behavior(of: new), under: .unknown)
      ).differences
      let difference = try #require(found.first { $0.direction == .weaker }, "\(rule.call)")
      #expect(found.allSatisfy { $0.call == rule.call && $0.direction != .stricter })
      #expect(
        !old.verdict(for: difference.witness).executesCall
          && new.verdict(for: difference.witness).executesCall
      )
      let parsed = try CallText.parse(CallName.text(difference.witness), on: .native)
      #expect(parsed.name == rule.call)
      #expect(zip(parsed.arguments, difference.witness.arguments).allSatisfy { $0 == $1 })
    }
  }

  @Test func `the differences are exactly the calls with different verdicts`() throws {
    let programs = try ["base", "strict"].map { name in
      try Program(bytes: try SeccompCompiler.compile(try CompiledPolicy(name).policy).instructions)
    }
    let space = CallSpace()
    let comparison = try BehaviorComparison(
      .init(space.behavior(of: programs[0]), under: .unknown),
      .init(space.behavior(of: programs[1]), under: .unknown)
    )
    var differing = 0
    var numbers = DeterministicGenerator(state: 5)
    for round in 0..<2000 {
      let call = Self.call(round, &numbers)
      let (before, after) = (programs[0].verdict(for: call), programs[1].verdict(for: call))
      let listed = comparison.differences.filter {
        $0.before.verdicts == [before] && $0.after.verdicts == [after] && Self.covers($0, call)
      }
      #expect(listed.isEmpty == (before == after), "\(CallName.text(call))")
      if before != after { differing += 1 }
    }
    #expect(differing > 250)
  }

  /// Returns a call whose arguments are small numbers, flags or arbitrary values.
  private static func call(_ round: Int, _ numbers: inout DeterministicGenerator) -> SeccompData {
    let known = CallTable.of(.native).numbers
    let arguments = (0..<6).map { _ -> UInt64 in
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0: return UInt64.random(in: 0...16, using: &numbers)
      case 1: return 1 << UInt64.random(in: 0...40, using: &numbers)
      case 2: return 0x5400 + UInt64.random(in: 0...0x60, using: &numbers)
      default: return numbers.next()
      }
    }
    return SeccompData(
      architecture: MachineArchitecture.native.auditArchitecture,
      number: known[round % known.count],
      arguments: arguments
    )
  }

  /// Whether a difference includes a call.
  private static func covers(_ difference: BehaviorDifference, _ call: SeccompData) -> Bool {
    guard case .call(let name, let places) = difference.subject, places.contains(.native),
      CallTable.of(.native).number(of: name) == call.number
    else { return false }
    return difference.alternatives.contains { conditions in
      conditions.allSatisfy { condition in
        switch condition.field {
        case .argument(let index): condition.values.contains(call.arguments[index])
        case .instructionPointer: condition.values.contains(call.instructionPointer)
        }
      }
    }
  }
}
