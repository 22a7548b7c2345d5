// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import TestSupport
import Testing

/// The operations and descriptions of sets of calls.
@Suite struct CallSetTests {
  /// `AUDIT_ARCH_X86_64`.
  private static let token: UInt32 = 0xC000_003E

  @Test func `sets obey the laws of set algebra`() throws {
    let space = CallSpace()
    let low = try space.numbers(0...99)
    let middle = try space.numbers(50...149)
    #expect(try low.intersection(middle) == space.numbers(50...99))
    #expect(try low.union(middle) == space.numbers(0...149))
    #expect(try low.subtracting(middle) == space.numbers(0...49))
    #expect(try low.complement() == space.numbers(100 ... .max))
    #expect(try low.subtracting(low).isEmpty)
    #expect(try low.union(low.complement()).isEverything)
    #expect(try space.numbers(10...20).isSubset(of: low))
    #expect(try !middle.isSubset(of: low))
  }

  @Test(arguments: BitArrangement.allCases)
  func `a set of unordered numbers contains exactly these numbers`(arrangement: BitArrangement) throws {
    let space = CallSpace(arrangement)
    #expect(try space.numbers([]).isEmpty)
    for numbers: [UInt32] in [
      [7], [0], [.max], [0, .max], [9, 3, 3, 8, 4, 60], [0x4000_0001, 1, 0x4000_0000, 0, .max, .max - 1],
      (0..<300).map { $0 &* 0x9E37_79B1 }, (0..<64).map { 1 << ($0 % 32) },
    ] {
      var one = space.nothing
      for number in numbers { one = try one.union(space.numbers(number...number)) }
      #expect(try space.numbers(numbers) == one, "\(numbers)")
      for number in numbers {
        for near in [number &- 1, number, number &+ 1] {
          let call = SeccompData(architecture: Self.token, number: near, arguments: [])
          #expect(one.contains(call) == numbers.contains(near), "\(near) of \(numbers)")
        }
      }
    }
  }

  @Test(arguments: BitArrangement.allCases)
  func `a range of numbers has exact bounds`(arrangement: BitArrangement) throws {
    let space = CallSpace(arrangement)
    for range: ClosedRange<UInt32> in [
      0...0, .max ... .max, 0 ... .max, 1 ... .max - 1, 5...6, 0x7FFF_FFFF...0x8000_0000,
      0x4000_0000 ... .max,
      100...0x4000_0000,
    ] {
      let set = try space.numbers(range)
      for number in [range.lowerBound, range.upperBound].flatMap({ [$0 &- 1, $0, $0 &+ 1] }) {
        let call = SeccompData(architecture: Self.token, number: number, arguments: [])
        #expect(set.contains(call) == range.contains(number), "\(number) of \(range)")
      }
      #expect(try set.union(set.complement()).isEverything)
    }
  }

  @Test func `64-bit ranges are exact at the boundary of the 32-bit halves`() throws {
    let space = CallSpace()
    let range: ClosedRange<UInt64> = 0xFFFF_FFFE...0x1_0000_0001
    let set = try space.argument(2, in: range)
    for value in [0xFFFF_FFFD, 0xFFFF_FFFE, 0x1_0000_0000, 0x1_0000_0001, 0x1_0000_0002, 0x2_0000_0000, 0] {
      let input = SeccompData(architecture: 0, number: 0, arguments: [0, 0, UInt64(value)])
      #expect(set.contains(input) == range.contains(UInt64(value)), "\(value)")
    }
    #expect(try set.regions().map(\.alternatives) == [[[Self.constraint(2, .ranges([range]))]]])
    #expect(try space.argument(0, in: 0 ... .max).isEverything)
  }

  @Test func `describes a masked comparison with its mask and value`() throws {
    let space = CallSpace()
    let set = try space.argument(1, mask: 0xFFFF_FFFF, equals: 0x5412)
    #expect(
      try set.regions().map(\.alternatives) == [[[Self.constraint(1, .lowerHalf([0x5412...0x5412]))]]]
    )
    #expect(
      try set.complement().regions().map(\.alternatives)
        == [[[Self.constraint(1, .lowerHalf([0x5412...0x5412]), .outside)]]]
    )
    let flags = try space.argument(0, mask: 0x7E02_0080, equals: 0)
    let masked = ValueSet.Form.masked([.init(mask: 0x7E02_0080, value: 0)])
    #expect(try flags.regions().map(\.alternatives) == [[[Self.constraint(0, masked)]]])
  }

  @Test func `a lower half without one full value is described exactly`() throws {
    let space = CallSpace()
    let set = try space.argument(0, mask: 0xFFFF_FFFF, equals: 0xFFFF_FFFF)
      .subtracting(space.argument(0, mask: .max, equals: 0xFFFF_FFFF))
    #expect(
      try set.regions().map(\.alternatives) == [
        [
          [
            Self.constraint(0, .lowerHalf([0xFFFF_FFFF...0xFFFF_FFFF])),
            Self.constraint(0, .ranges([0xFFFF_FFFF...0xFFFF_FFFF]), .outside),
          ]
        ]
      ]
    )
  }

  @Test func `calls with the same conditions share a region`() throws {
    let space = CallSpace()
    let calls = try space.numbers(3...4).union(space.numbers(9...9)).intersection(
      space.architecture(Self.token)
    )
    let limited = try space.numbers(20...20).intersection(space.architecture(Self.token))
      .intersection(space.argument(0, mask: .max, equals: 1))
    let regions = try calls.union(limited).regions()
    #expect(
      regions == [
        CallRegion(architectures: [Self.token...Self.token], numbers: [3...4, 9...9], alternatives: [[]]),
        CallRegion(
          architectures: [Self.token...Self.token],
          numbers: [20...20],
          alternatives: [[Self.constraint(0, .ranges([1...1]))]]
        ),
      ]
    )
    #expect(try calls.union(limited).numbers(on: Self.token) == [3...4, 9...9, 20...20])
    #expect(try calls.numbers(on: 7).isEmpty)
  }

  @Test func `a witness has a preferred architecture and the lowest values`() throws {
    let space = CallSpace()
    let both = try space.architecture(Self.token).union(space.architecture(3))
    let set = try both.intersection(space.numbers(41...50)).intersection(
      space.argument(0, mask: 0xF, equals: 2)
    )
    #expect(
      try set.witness(preferring: [Self.token])
        == SeccompData(architecture: Self.token, number: 41, arguments: [2])
    )
    #expect(try set.witness() == SeccompData(architecture: 3, number: 41, arguments: [2]))
    #expect(try set.witness(preferring: [99])?.architecture == 3)
    #expect(try space.nothing.witness() == nil)
  }

  @Test func `the regions of a random program describe exactly its permitted calls`() throws {
    var generator = SeededGenerator(seed: 11)
    for index in 0..<100 {
      let random = try RandomProgram(.typical, length: 6 + index % 30, using: &generator)
      let set = try CallSpace().behavior(of: random.program).permitted(under: .unknown)
      let regions = try set.regions()
      for _ in 0..<200 {
        let input = random.input(using: &generator)
        try #require(regions.contains { Self.describes($0, input) } == set.contains(input))
      }
    }
  }

  /// A condition on an argument.
  private static func constraint(
    _ index: Int,
    _ form: ValueSet.Form,
    _ sense: ValueSet.Sense = .inside
  ) -> ArgumentConstraint {
    ArgumentConstraint(field: .argument(index), values: ValueSet(form: form, sense: sense))
  }

  /// Whether the printed conditions of a region include a call.
  private static func describes(_ region: CallRegion, _ input: SeccompData) -> Bool {
    region.architectures.contains { $0.contains(input.architecture) }
      && region.numbers.contains { $0.contains(input.number) }
      && region.alternatives.contains { way in
        way.allSatisfy { constraint in
          switch constraint.field {
          case .argument(let index): constraint.values.contains(input.arguments[index])
          case .instructionPointer: constraint.values.contains(input.instructionPointer)
          }
        }
      }
  }
}
