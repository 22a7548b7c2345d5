// SPDX-License-Identifier: Apache-2.0

/// What registers and scratch memory hold in front of an instruction, as functions of the call.
struct SymbolicState: Hashable {
  /// The accumulator; nil if it does not matter any more.
  var accumulator: SymbolicWord?
  /// The index register; nil if it does not matter any more.
  var index: SymbolicWord?
  /// The slots that matter.
  var slots: [Int: SymbolicWord] = [:]

  /// What the kernel begins with: both registers are zero.
  static let beginning = SymbolicState(accumulator: SymbolicWord(0), index: SymbolicWord(0))

  /// Only what matters.
  func reduced(to places: Liveness.Places) -> SymbolicState {
    SymbolicState(
      accumulator: places.contains(.accumulator) ? accumulator : nil,
      index: places.contains(.index) ? index : nil,
      slots: slots.filter { places.contains(.slot($0.key)) }
    )
  }

  /// The value of a register; one that does not matter is nowhere read.
  func content(_ register: FilterInstruction.Register) -> SymbolicWord {
    (register == .accumulator ? accumulator : index) ?? SymbolicWord(0)
  }

  /// The value of an operand.
  func value(_ operand: FilterInstruction.Operand) -> SymbolicWord {
    switch operand {
    case .constant(let value): SymbolicWord(value)
    case .index: content(.index)
    }
  }

  /// Puts a value into a register.
  mutating func put(_ value: SymbolicWord, into register: FilterInstruction.Register) {
    switch register {
    case .accumulator: accumulator = value
    case .index: index = value
    }
  }
}
