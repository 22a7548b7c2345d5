// SPDX-License-Identifier: Apache-2.0

/// The live registers and slots before each instruction: those that may be read before they are written.
///
/// Paths that differ only in other registers and slots are followed as one.
struct Liveness {
  /// A set of registers and slots.
  struct Locations: OptionSet, Hashable {
    /// The bits: slots from 0, then the registers.
    var rawValue: UInt32
    static let accumulator = Locations(rawValue: 1 << 16)
    /// The index register.
    static let index = Locations(rawValue: 1 << 17)

    /// Returns a slot of the scratch memory.
    static func slot(_ index: Int) -> Locations { Locations(rawValue: 1 << UInt32(index)) }

    static func register(_ register: FilterInstruction.Register) -> Locations {
      register == .accumulator ? .accumulator : .index
    }
  }

  /// The live registers and slots before each instruction.
  let liveLocations: [Locations]

  /// Analyzes a program from its end. One pass is enough, because jumps only lead forward.
  init(_ program: FilterProgram) {
    var places = [Locations](repeating: [], count: program.operations.count)
    for index in places.indices.reversed() {
      let after = program.successors(of: index).reduce(into: Locations()) { $0.formUnion(places[$1]) }
      let operation = program.operations[index]
      places[index] = after.subtracting(Self.written(by: operation)).union(Self.read(by: operation))
    }
    self.liveLocations = places
  }

  private static func written(by operation: FilterInstruction.Operation) -> Locations {
    switch operation {
    case .load(let register, _): .register(register)
    case .store(_, let slot): .slot(slot)
    case .calculate, .negate, .copyFromIndex: .accumulator
    case .copyToIndex: .index
    case .jump, .branch, .finish: []
    }
  }

  private static func read(by operation: FilterInstruction.Operation) -> Locations {
    switch operation {
    case .load(_, .slot(let slot)): .slot(slot)
    case .load(_, .word), .load(_, .constant), .jump, .finish(.constant): []
    case .store(let register, _): .register(register)
    case .calculate(_, .index), .branch(_, .index): [.accumulator, .index]
    case .calculate(_, .constant), .branch(_, .constant): .accumulator
    case .negate, .copyToIndex, .finish(.accumulator): .accumulator
    case .copyFromIndex: .index
    }
  }
}
