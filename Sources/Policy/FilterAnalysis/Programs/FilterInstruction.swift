// SPDX-License-Identifier: Apache-2.0

/// One instruction of a classic BPF program. The corresponding structure is `struct sock_filter`.
package struct FilterInstruction: Sendable, Hashable {
  /// The operation's code.
  package var code: UInt16
  /// How many instructions are skipped where the test is true.
  package var ifTrue: UInt8
  /// How many instructions are skipped where it is false.
  package var ifFalse: UInt8
  /// The constant, offset or slot.
  package var value: UInt32

  /// Puts an instruction together.
  package init(code: UInt16, ifTrue: UInt8 = 0, ifFalse: UInt8 = 0, value: UInt32 = 0) {
    self.code = code
    self.ifTrue = ifTrue
    self.ifFalse = ifFalse
    self.value = value
  }
}

extension FilterInstruction {
  /// What an instruction does; the accumulator is `A`, the index register `X`.
  package enum Operation: Sendable, Hashable {
    /// Puts something into a register.
    case load(Register, Source)
    /// Puts a register into a slot of the scratch memory.
    case store(Register, slot: Int)
    /// `A` becomes the result of `A` and the operand.
    case calculate(Calculation, Operand)
    /// `A` becomes `-A`.
    case negate
    /// `X` becomes `A`.
    case copyToIndex
    /// `A` becomes `X`.
    case copyFromIndex
    /// Goes on so many instructions further.
    case jump(UInt32)
    /// Compares `A` with the operand and goes on accordingly.
    case branch(Comparison, Operand)
    /// Ends the program with a value.
    case finish(Answer)
  }

  /// The registers.
  package enum Register: Sendable, Hashable {
    /// The accumulator, `A`.
    case accumulator
    /// The index register, `X`.
    case index
  }

  /// Where a loaded value comes from.
  package enum Source: Sendable, Hashable {
    /// A word of `struct seccomp_data`, by its index.
    case word(Int)
    /// The constant of the instruction; the length of the structure is one, too.
    case constant(UInt32)
    /// A slot of the scratch memory.
    case slot(Int)
  }

  /// The second operand.
  package enum Operand: Sendable, Hashable {
    /// The constant of the instruction.
    case constant(UInt32)
    /// The index register.
    case index
  }

  /// The calculations.
  package enum Calculation: String, Sendable, Hashable {
    case add, subtract, multiply, divide, and, or, xor, shiftLeft, shiftRight
  }

  /// The comparisons.
  package enum Comparison: Sendable, Hashable {
    /// `A == operand`.
    case equal
    /// `A > operand`, without signs.
    case greater
    /// `A >= operand`, without signs.
    case greaterOrEqual
    /// `A & operand != 0`.
    case anyBit
  }

  /// Where the returned value comes from.
  package enum Answer: Sendable, Hashable {
    /// The constant of the instruction.
    case constant(UInt32)
    /// The accumulator.
    case accumulator
  }
}
