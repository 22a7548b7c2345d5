// SPDX-License-Identifier: Apache-2.0

/// The live registers and slots before each instruction: those that may be read before they are written.
///
/// Paths that differ only in other registers and slots are followed as one.
struct Liveness {
  /// A set of registers and slots.
  struct Places: OptionSet, Hashable {
    /// The bits: slots from 0, then the registers.
    var rawValue: UInt32
    static let accumulator = Places(rawValue: 1 << 16)
    /// The index register.
    static let index = Places(rawValue: 1 << 17)

    /// Returns a slot of the scratch memory.
    static func slot(_ index: Int) -> Places { Places(rawValue: 1 << UInt32(index)) }

    static func register(_ register: FilterInstruction.Register) -> Places {
      register == .accumulator ? .accumulator : .index
    }
  }

  /// The live registers and slots before each instruction.
  let places: [Places]

  /// Analyzes a program from its end. One pass is enough, because jumps only lead forward.
  init(_ program: FilterProgram) {
    var places = [Places](repeating: [], count: program.operations.count)
    for index in places.indices.reversed() {
      let after = program.successors(of: index).reduce(into: Places()) { $0.formUnion(places[$1]) }
      let operation = program.operations[index]
      places[index] = after.subtracting(Self.written(by: operation)).union(Self.read(by: operation))
    }
    self.places = places
  }

  private static func written(by operation: FilterInstruction.Operation) -> Places {
    switch operation {
    case .load(let register, _): .register(register)
    case .store(_, let slot): .slot(slot)
    case .calculate, .negate, .copyFromIndex: .accumulator
    case .copyToIndex: .index
    case .jump, .branch, .finish: []
    }
  }

  private static func read(by operation: FilterInstruction.Operation) -> Places {
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
