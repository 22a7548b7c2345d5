// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import TestSupport
import Testing

/// Compares the analysis of whole programs with their evaluation.
@Suite struct AnalysisTests {
  /// The number of random programs of each kind.
  private static let programs = 150
  /// The number of calls that each program is evaluated for.
  private static let calls = 500

  @Test(arguments: [RandomProgram.Kind.typical, .arbitrary], BitArrangement.allCases)
  func `the analysis and the evaluator agree on random programs and calls`(
    kind: RandomProgram.Kind,
    arrangement: BitArrangement
  ) throws {
    var generator = SeededGenerator(seed: 2026)
    var analyzed = 0
    for index in 0..<Self.programs {
      let length = kind == .typical ? 4 + index % 60 : 20 + index % 20
      let random = try RandomProgram(kind, length: length, using: &generator)
      let space = CallSpace(arrangement, nodeLimit: 1 << 18, stepLimit: 1 << 22)
      let behavior: FilterBehavior
      do { behavior = try space.behavior(of: random.program) } catch { continue }
      analyzed += 1
      for _ in 0..<Self.calls {
        let input = random.input(using: &generator)
        let expected = random.program.verdict(for: input)
        try #require(behavior.verdict(for: input) == expected, "\(random.program.instructions) \(input)")
      }
    }
    // Programs as compilers write them can always be analyzed; other programs may multiply arguments.
    let isExact = kind == .typical && arrangement == .wordByWord
    #expect(analyzed >= (isExact ? Self.programs : Self.programs / 2))
  }

  @Test func `of several filters the strictest action wins, and of equal actions the newest`() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<100 {
      let randoms = try (0..<3).map { _ in try RandomProgram(.typical, length: 12, using: &generator) }
      let space = CallSpace()
      let behavior = try space.behavior(ofStack: randoms.map(\.program))
      for _ in 0..<200 {
        let input = (randoms.randomElement(using: &generator) ?? randoms[0]).input(using: &generator)
        let expected = FilterProgram.verdict(ofStack: randoms.map(\.program), for: input)
        try #require(behavior.verdict(for: input) == expected)
      }
    }
    let space = CallSpace()
    let older = try FilterProgram([FilterInstruction(code: 0x06, value: 0x0005_0001)])
    let newer = try FilterProgram([FilterInstruction(code: 0x06, value: 0x0005_0002)])
    #expect(try space.behavior(ofStack: [older, newer]) == space.behavior(.errno(2)))
    let killing = try FilterProgram([FilterInstruction(code: 0x06, value: 0x8000_0000)])
    #expect(try space.behavior(ofStack: [killing, newer]) == space.behavior(.killProcess))
  }

  @Test func `equivalent programs compare equal, and one changed bit makes them differ`()
    throws
  {
    let space = CallSpace()
    func program(_ instructions: [FilterInstruction]) throws -> FilterBehavior {
      try space.behavior(of: FilterProgram(instructions))
    }
    let refuse = FilterInstruction(code: 0x06, value: 0x0005_0001)
    let allow = FilterInstruction(code: 0x06, value: 0x7FFF_0000)
    // number == 5, once by comparison and once by two ranges.
    let equal = try program([
      FilterInstruction(code: 0x20, value: 0), FilterInstruction(code: 0x15, ifTrue: 1, value: 5), refuse,
      allow,
    ])
    let ranges = try program([
      FilterInstruction(code: 0x20, value: 0), FilterInstruction(code: 0x35, ifFalse: 1, value: 5),
      FilterInstruction(code: 0x25, ifFalse: 1, value: 5), refuse, allow,
    ])
    #expect(equal == ranges)
    let other = try program([
      FilterInstruction(code: 0x20, value: 0), FilterInstruction(code: 0x35, ifFalse: 1, value: 4),
      FilterInstruction(code: 0x25, ifFalse: 1, value: 5), refuse, allow,
    ])
    #expect(equal != other)
    let difference = try equal.difference(from: other)
    #expect(try difference.witness() == SeccompData(architecture: 0, number: 4))
    #expect(try difference == space.numbers(4...4))
  }

  @Test func `a program beyond the analysis limits throws an error`() throws {
    // The condition that the product of two arguments has a given value has no short description.
    let program = try FilterProgram([
      FilterInstruction(code: 0x20, value: 16), FilterInstruction(code: 0x07),
      FilterInstruction(code: 0x20, value: 24),
      FilterInstruction(code: 0x2C), FilterInstruction(code: 0x15, ifTrue: 1, value: 0x1234_5677),
      FilterInstruction(code: 0x06, value: 0), FilterInstruction(code: 0x06, value: 0x7FFF_0000),
    ])
    let space = CallSpace(nodeLimit: 1 << 14, stepLimit: 1 << 20)
    #expect(throws: AnalysisError.self) { try space.behavior(of: program) }
  }
}
