// SPDX-License-Identifier: Apache-2.0

/// A reason for which the kernel would not accept a program.
package enum FilterProgramError: Error, Sendable, Hashable {
  /// The program has no instruction.
  case empty
  /// The number of bytes is not a multiple of the size of an instruction.
  case partialInstruction(bytes: Int)
  /// The program has more instructions than the kernel accepts.
  case tooLong(instructions: Int)
  /// The instruction does not exist, or is not allowed in a filter of system calls.
  case instruction(FilterInstruction, at: Int)
  /// A jump leads past the last instruction.
  case jump(at: Int, to: Int)
  /// A slot of the scratch memory may be read before it is written.
  case unsetSlot(Int, at: Int)
  /// The last instruction does not end the program.
  case missingReturn
}

extension FilterProgramError: CustomStringConvertible {
  /// A sentence with the index of the instruction, and a fix for the author of the program.
  package var description: String { reason + (fix.map { "; \($0)" } ?? "") }

  /// The error with the index of the instruction, without a fix.
  package var reason: String {
    switch self {
    case .empty: "the program is empty"
    case .partialInstruction(let bytes):
      "\(bytes) bytes are not a compiled filter, whose instructions have \(FilterProgram.instructionSize) bytes each"
    case .tooLong(let instructions):
      "\(instructions) instructions exceed the kernel's maximum of \(FilterProgram.maximumInstructionCount)"
    case .instruction(let instruction, let index):
      "instruction \(index): the kernel does not allow the code 0x\(String(instruction.code, radix: 16)) with "
        + "0x\(String(instruction.value, radix: 16)) in a seccomp filter"
    case .jump(let index, let target): "instruction \(index): the jump to \(target) is outside the program"
    case .unsetSlot(let slot, let index):
      "instruction \(index): slot \(slot) may be read before it is written, which the kernel refuses"
    case .missingReturn: "the last instruction is not a return"
    }
  }

  /// The fix for the author of the program, or `nil` if none is known.
  private var fix: String? {
    switch self {
    case .empty, .tooLong: "use a compiled filter"
    case .partialInstruction: "use a complete file"
    case .instruction: "use a classic BPF program in this machine's byte order"
    case .jump, .missingReturn: "use a complete filter"
    case .unsetSlot: nil
    }
  }
}
