// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import PolicyExplanation
import SystemCalls
import Testing

@Suite struct BehaviorComparisonTests {
  /// Returns the differences between two programs after evaluating each witness with both.
  static func differences(_ old: FilterProgram, _ new: FilterProgram) throws -> [BehaviorDifference] {
    let space = CallSpace()
    let comparison = try BehaviorComparison(
      .init(space.behavior(of: old), under: .unknown),
      .init(space.behavior(of: new), under: .unknown)
    )
    for difference in comparison.differences {
      #expect(difference.before.verdicts.contains(old.verdict(for: difference.witness)))
      #expect(difference.after.verdicts.contains(new.verdict(for: difference.witness)))
    }
    return comparison.differences
  }

  @Test func `a changed value is reported in both directions with witness calls`() throws {
    let found = try Self.differences(ExamplePrograms.program(domain: 1), ExamplePrograms.program(domain: 40))
    #expect(found.map(\.title) == ["socket", "socket"])
    let weaker = try #require(found.first { $0.direction == .weaker })
    let stricter = try #require(found.first { $0.direction == .stricter })
    #expect(weaker.conditions == ["domain is exactly AF_VSOCK"])
    #expect(CallName.text(weaker.witness) == "x86_64 socket(AF_VSOCK, SOCK_STREAM, 0)")
    #expect(CallName.text(stricter.witness) == "x86_64 socket(AF_UNIX, SOCK_STREAM, 0)")
  }

  @Test func `finds a flag that is no longer refused`() throws {
    let found = try Self.differences(
      ExamplePrograms.program(forbidden: 0x7E02_0000),
      ExamplePrograms.program(forbidden: 0x6E02_0000)
    )
    #expect(found.count == 1 && found.first?.direction == .weaker)
    #expect(found.first?.conditions.first?.contains("is CLONE_NEWUSER") == true)
    #expect(found.first?.title == "clone" && found.first?.architectureText == "x86_64")
    #expect(found.first.map { CallName.text($0.witness).contains("CLONE_NEWUSER") } == true)
  }

  @Test func `a different error code is neither weaker nor stricter`() throws {
    let code = ExamplePrograms.instruction
    let found = try Self.differences(
      try FilterProgram([code(0x06, 0, 0, 0x0005_0001)]),
      try FilterProgram([code(0x06, 0, 0, 0)])
    )
    #expect(Set(found.map(\.direction)) == [.changed])
    #expect(found.count == 1 && found.first?.title == "every call")
    #expect(found.first?.architectureText.hasSuffix(", any other architecture") == true)
  }

  @Test func `reports call numbers without names as ranges for each architecture`() throws {
    let code = ExamplePrograms.instruction
    let old = try FilterProgram([code(0x06, 0, 0, 0x7FFF_0000)])
    // The new filter refuses all calls below 500.
    let new = try FilterProgram([
      code(0x20, 0, 0, 0), code(0x35, 0, 1, 500), code(0x06, 0, 0, 0x7FFF_0000),
      code(0x06, 0, 0, 0x0005_0026),
    ])
    let found = try Self.differences(old, new)
    #expect(Set(found.map(\.direction)) == [.stricter])
    #expect(found.contains { $0.title == "337-423, 472-499" && $0.architectureText == "x86_64" })
    let read = try #require(found.first { $0.title == "read" })
    #expect(
      read.architectureText.split(separator: ", ").count == 7 && read.architecture == .native
        && read.isUnconditional
    )
    #expect(found.last?.architectureText == "any other architecture" && found.last?.title == "0-499")
  }

  @Test func `programs with the same behavior have no differences`() throws {
    let code = ExamplePrograms.instruction
    let one = try FilterProgram([
      code(0x20, 0, 0, 0), code(0x15, 1, 0, 39), code(0x15, 0, 1, 40), code(0x06, 0, 0, 0x7FFF_0000),
      code(0x06, 0, 0, 0),
    ])
    let other = try FilterProgram([
      code(0x20, 0, 0, 0), code(0x35, 0, 2, 39), code(0x25, 1, 0, 40), code(0x06, 0, 0, 0x7FFF_0000),
      code(0x06, 0, 0, 0),
    ])
    #expect(try Self.differences(one, other) == [])
  }

  @Test func `conditions use the constant names of each architecture`() throws {
    let text = FilterConditionText(call: "openat", on: .arm64)
    let write = ArgumentConstraint(
      field: .argument(2),
      values: ValueSet(form: .masked([.init(mask: 0x4000, value: 0x4000)]), sense: .inside)
    )
    #expect(text.text([write]) == "flags has O_DIRECTORY")
    let values = ArgumentConstraint(
      field: .argument(0),
      values: ValueSet(form: .lowerHalf([1...2, 100...999]), sense: .outside)
    )
    #expect(
      FilterConditionText(call: "socket", on: .x86).text([values])
        == "domain is none of AF_UNIX, AF_INET, 100 to 999"
    )
  }

  /// Returns a filter that returns the lower bits of an argument as an error number or as action data.
  private static func returning(bits: UInt32, action: UInt32) throws -> FilterProgram {
    try FilterProgram([
      FilterInstruction(code: 0x20, value: 16), FilterInstruction(code: 0x54, value: bits),
      FilterInstruction(code: 0x44, value: action), FilterInstruction(code: 0x16),
    ])
  }

  @Test(arguments: [(0xFF, 0x0005_0000), (0xFFF, 0x0005_0000), (0xFFFF, 0x0003_0000)] as [(UInt32, UInt32)])
  func `a filter with thousands of return values is compared as a whole`(bits: UInt32, action: UInt32) throws
  {
    let many = try Self.returning(bits: bits, action: action)
    let allowing = try FilterProgram([FilterInstruction(code: 0x06, value: 0x7FFF_0000)])
    let found = try Self.differences(allowing, many)
    #expect(found.count == 1 && found.first?.direction == .stricter)
    #expect(
      found.first?.after.text.hasSuffix("(\(min(bits, action == 0x0005_0000 ? 4095 : bits) + 1) values)")
        == true
    )
    // Compares in the other direction and with a filter that has half as many return values.
    #expect(try Self.differences(many, allowing).map(\.direction) == [.weaker])
    let other = try Self.differences(many, Self.returning(bits: bits >> 1, action: action))
    #expect(!other.isEmpty && other.allSatisfy { $0.direction == .changed && $0.alternatives.count == 1 })
    #expect(try Self.differences(many, many).isEmpty)
  }

  @Test func `truncates a difference with too many alternatives and marks it`() throws {
    // The filter refuses any of 200 pairs of argument values.
    var instructions: [FilterInstruction] = []
    for value: UInt32 in 0..<200 {
      instructions += [
        FilterInstruction(code: 0x20, value: 16),
        FilterInstruction(code: 0x15, ifFalse: 3, value: value * 7919),
        FilterInstruction(code: 0x20, value: 24),
        FilterInstruction(code: 0x15, ifFalse: 1, value: value * 104_729 & 0xFFFF),
        FilterInstruction(code: 0x06, value: 0x0005_0001),
      ]
    }
    instructions.append(FilterInstruction(code: 0x06, value: 0x7FFF_0000))
    let allowing = try FilterProgram([FilterInstruction(code: 0x06, value: 0x7FFF_0000)])
    let found = try Self.differences(FilterProgram(instructions), allowing)
    #expect(!found.isEmpty && found.allSatisfy { !$0.isComplete && $0.alternatives.count == 64 })
  }
}
