// SPDX-License-Identifier: Apache-2.0

extension FilterInstruction {
  /// The number of slots of the scratch memory. The corresponding constant is `BPF_MEMWORDS`.
  package static let slotCount = 16
  /// The length of a filter's input in bytes: `sizeof(struct seccomp_data)`.
  private static let inputLength: UInt32 = 64

  /// The decoded operation, or `nil` if the kernel does not accept the instruction in a filter of system
  /// calls (`seccomp_check_filter`).
  package var operation: Operation? {
    switch code {
    case 0x00: .load(.accumulator, .constant(value))
    case 0x01: .load(.index, .constant(value))
    case 0x20: word.map { .load(.accumulator, .word($0)) }
    case 0x80: .load(.accumulator, .constant(Self.inputLength))
    case 0x81: .load(.index, .constant(Self.inputLength))
    case 0x60: slot.map { .load(.accumulator, .slot($0)) }
    case 0x61: slot.map { .load(.index, .slot($0)) }
    case 0x02: slot.map { .store(.accumulator, slot: $0) }
    case 0x03: slot.map { .store(.index, slot: $0) }
    case 0x07: .copyToIndex
    case 0x87: .copyFromIndex
    case 0x84: .negate
    case 0x05: .jump(value)
    case 0x06: .finish(.constant(value))
    case 0x16: .finish(.accumulator)
    default: comparison.map { .branch($0, operand) } ?? calculation.map { .calculate($0, operand) }
    }
  }

  /// The index of the word of `struct seccomp_data` at the offset, or `nil` if there is none.
  private var word: Int? {
    value.isMultiple(of: 4) && value < Self.inputLength ? Int(value / 4) : nil
  }

  /// The index of the slot, or `nil` if there is none.
  private var slot: Int? { value < Self.slotCount ? Int(value) : nil }

  /// The bit of a code that selects the index register as the operand. The corresponding constant is `BPF_X`.
  private static let indexBit: UInt16 = 0x08

  /// The operand of a calculation or comparison.
  private var operand: Operand { code & Self.indexBit == 0 ? .constant(value) : .index }

  /// The comparison of a `BPF_JMP`.
  private var comparison: Comparison? {
    switch code & ~Self.indexBit {
    case 0x15: .equal
    case 0x25: .greater
    case 0x35: .greaterOrEqual
    case 0x45: .anyBit
    default: nil
    }
  }

  /// The calculation of a `BPF_ALU`, or `nil` for division by zero and undefined shifts
  /// (`bpf_check_classic`).
  private var calculation: Calculation? {
    switch code & ~Self.indexBit {
    case 0x04: .add
    case 0x14: .subtract
    case 0x24: .multiply
    case 0x34: operand == .constant(0) ? nil : .divide
    case 0x44: .or
    case 0x54: .and
    case 0x64: hasShiftableOperand ? .shiftLeft : nil
    case 0x74: hasShiftableOperand ? .shiftRight : nil
    case 0xA4: .xor
    default: nil
    }
  }

  /// Whether a shift by the operand is defined.
  private var hasShiftableOperand: Bool { operand == .index || value < 32 }
}
