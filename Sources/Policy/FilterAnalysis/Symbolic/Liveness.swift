// SPDX-License-Identifier: Apache-2.0

/// Which registers and slots still matter in front of each instruction: those that may be read before they are written.
///
/// Paths that differ in nothing else are then followed as one.
struct Liveness {
  /// What matters, a bit each.
  struct Places: OptionSet, Hashable {
    /// The bits: slots from 0, then the registers.
    var rawValue: UInt32
    /// The accumulator.
    static let accumulator = Places(rawValue: 1 << 16)
    /// The index register.
    static let index = Places(rawValue: 1 << 17)

    /// A slot of the scratch memory.
    static func slot(_ index: Int) -> Places { Places(rawValue: 1 << UInt32(index)) }

    /// A register.
    static func register(_ register: FilterInstruction.Register) -> Places {
      register == .accumulator ? .accumulator : .index
    }
  }

  /// What matters in front of each instruction.
  let places: [Places]

  /// Looks at a program from its end; jumps lead forward only.
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
