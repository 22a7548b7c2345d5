// SPDX-License-Identifier: Apache-2.0

/// An instruction of a classic BPF program. The corresponding structure is `struct sock_filter`.
package struct FilterInstruction: Sendable, Hashable {
  /// The operation code.
  package var code: UInt16
  /// The number of instructions to skip if the comparison is true.
  package var ifTrue: UInt8
  /// The number of instructions to skip if the comparison is false.
  package var ifFalse: UInt8
  /// The constant, offset or slot.
  package var value: UInt32

  /// Creates an instruction.
  package init(code: UInt16, ifTrue: UInt8 = 0, ifFalse: UInt8 = 0, value: UInt32 = 0) {
    self.code = code
    self.ifTrue = ifTrue
    self.ifFalse = ifFalse
    self.value = value
  }
}

extension FilterInstruction {
  /// A decoded instruction. The accumulator is `A`, and the index register is `X`.
  package enum Operation: Sendable, Hashable {
    /// Loads a value into a register.
    case load(Register, Source)
    /// Stores a register into a slot of the scratch memory.
    case store(Register, slot: Int)
    /// Replaces `A` by the result of `A` and the operand.
    case calculate(Calculation, Operand)
    /// Replaces `A` by `-A`.
    case negate
    /// Copies `A` to `X`.
    case copyToIndex
    /// Copies `X` to `A`.
    case copyFromIndex
    /// Skips a number of instructions.
    case jump(UInt32)
    /// Compares `A` with the operand, and skips instructions depending on the result.
    case branch(Comparison, Operand)
    /// Ends the program and returns a value.
    case finish(ReturnSource)
  }

  /// A register.
  package enum Register: Sendable, Hashable {
    /// The accumulator, `A`.
    case accumulator
    /// The index register, `X`.
    case index
  }

  /// The source of a loaded value.
  package enum Source: Sendable, Hashable {
    /// A word of `struct seccomp_data`, by its index.
    case word(Int)
    /// The constant of the instruction, or the length of the structure.
    case constant(UInt32)
    /// A slot of the scratch memory.
    case slot(Int)
  }

  /// The second operand of a calculation or comparison.
  package enum Operand: Sendable, Hashable {
    /// The constant of the instruction.
    case constant(UInt32)
    /// The index register.
    case index
  }

  /// A calculation.
  package enum Calculation: String, Sendable, Hashable {
    case add, subtract, multiply, divide, and, or, xor, shiftLeft, shiftRight
  }

  /// A comparison.
  package enum Comparison: Sendable, Hashable {
    /// `A == operand`.
    case equal
    /// `A > operand`, unsigned.
    case greater
    /// `A >= operand`, unsigned.
    case greaterOrEqual
    /// `A & operand != 0`.
    case anyBit
  }

  /// The source of the returned value.
  package enum ReturnSource: Sendable, Hashable {
    /// The constant of the instruction.
    case constant(UInt32)
    /// The accumulator.
    case accumulator
  }
}
