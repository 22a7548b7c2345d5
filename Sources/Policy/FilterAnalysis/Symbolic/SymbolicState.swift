// SPDX-License-Identifier: Apache-2.0

/// The contents of registers and scratch memory before an instruction, as functions of the call.
struct SymbolicState: Hashable {
  /// The accumulator, or `nil` if it is not live.
  var accumulator: SymbolicWord?
  /// The index register, or `nil` if it is not live.
  var index: SymbolicWord?
  /// The live slots.
  var slots: [Int: SymbolicWord] = [:]

  /// The initial state in the kernel: both registers are zero.
  static let initial = SymbolicState(accumulator: SymbolicWord(0), index: SymbolicWord(0))

  /// Returns the state with only the given registers and slots.
  func reduced(to places: Liveness.Locations) -> SymbolicState {
    SymbolicState(
      accumulator: places.contains(.accumulator) ? accumulator : nil,
      index: places.contains(.index) ? index : nil,
      slots: slots.filter { places.contains(.slot($0.key)) }
    )
  }

  /// Returns the value of a register. A register that is not live is never read.
  func content(_ register: FilterInstruction.Register) -> SymbolicWord {
    (register == .accumulator ? accumulator : index) ?? SymbolicWord(0)
  }

  /// Returns the value of an operand.
  func value(_ operand: FilterInstruction.Operand) -> SymbolicWord {
    switch operand {
    case .constant(let value): SymbolicWord(value)
    case .index: content(.index)
    }
  }

  /// Stores a value in a register.
  mutating func put(_ value: SymbolicWord, into register: FilterInstruction.Register) {
    switch register {
    case .accumulator: accumulator = value
    case .index: index = value
    }
  }
}
