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
  /// A sentence with the index of the instruction.
  package var description: String {
    switch self {
    case .empty: "the program is empty; give a compiled filter"
    case .partialInstruction(let bytes):
      "\(bytes) bytes are no compiled filter: an instruction has \(FilterProgram.instructionSize); give a whole file"
    case .tooLong(let instructions):
      "\(instructions) instructions are more than the kernel takes (\(FilterProgram.maximumInstructionCount)); give a compiled filter"
    case .instruction(let instruction, let index):
      "instruction \(index): the kernel allows no code 0x\(String(instruction.code, radix: 16)) with "
        + "0x\(String(instruction.value, radix: 16)) in a filter of system calls; "
        + "give a classic BPF program for this machine's byte order"
    case .jump(let index, let target):
      "instruction \(index): the jump to \(target) leads out of the program; give a whole filter"
    case .unsetSlot(let slot, let index):
      "instruction \(index): slot \(slot) may be read before it is written; the kernel refuses such a program"
    case .missingReturn: "the last instruction does not return; give a whole filter"
    }
  }
}
