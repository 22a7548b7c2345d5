// SPDX-License-Identifier: Apache-2.0

/// A filter of system calls that the kernel accepts: a classic BPF program without loops.
///
/// Decoding shares no code with the compiler that creates the programs.
package struct FilterProgram: Sendable, Hashable {
  package let instructions: [FilterInstruction]
  /// The decoded instructions.
  package let operations: [FilterInstruction.Operation]

  /// The size of one instruction in bytes. The corresponding structure is `struct sock_filter`.
  package static let instructionSize = 8
  /// The maximum number of instructions. The corresponding constant is `BPF_MAXINSNS`.
  package static let maximumInstructionCount = 4096

  /// Creates a program after checking it as the kernel does (`bpf_check_classic`, `seccomp_check_filter`).
  package init(_ instructions: [FilterInstruction]) throws(FilterProgramError) {
    guard !instructions.isEmpty else { throw .empty }
    guard instructions.count <= Self.maximumInstructionCount else {
      throw .tooLong(instructions: instructions.count)
    }
    var operations: [FilterInstruction.Operation] = []
    operations.reserveCapacity(instructions.count)
    for (index, instruction) in instructions.enumerated() {
      guard let operation = instruction.operation else { throw .instruction(instruction, at: index) }
      operations.append(operation)
    }
    self.instructions = instructions
    self.operations = operations
    for index in operations.indices {
      if let target = successors(of: index).first(where: { $0 >= operations.count }) {
        if case .jump = operations[index] { throw .jump(at: index, to: target) }
        if case .branch = operations[index] { throw .jump(at: index, to: target) }
      }
    }
    guard case .finish = operations[operations.count - 1] else { throw .missingReturn }
    try checkSlots()
  }

  /// Creates a program from the bytes of `SECCOMP_SET_MODE_FILTER`, in the byte order of x86-64 and AArch64.
  package init(bytes: [UInt8]) throws(FilterProgramError) {
    let size = Self.instructionSize
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count.isMultiple(of: size) else { throw .partialInstruction(bytes: bytes.count) }
    guard bytes.count <= Self.maximumInstructionCount * size else {
      throw .tooLong(instructions: bytes.count / size)
    }
    try self.init(stride(from: 0, to: bytes.count, by: size).map { Self.instruction(bytes[$0..<$0 + size]) })
  }

  /// Returns the instruction that eight bytes encode.
  private static func instruction(_ bytes: ArraySlice<UInt8>) -> FilterInstruction {
    func byte(_ offset: Int) -> UInt32 { UInt32(bytes[bytes.startIndex + offset]) }
    return FilterInstruction(
      code: UInt16(byte(0) | byte(1) << 8),
      ifTrue: UInt8(byte(2)),
      ifFalse: UInt8(byte(3)),
      value: byte(4) | byte(5) << 8 | byte(6) << 16 | byte(7) << 24
    )
  }

  /// The program as bytes for `SECCOMP_SET_MODE_FILTER`.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(instructions.count * Self.instructionSize)
    for instruction in instructions {
      withUnsafeBytes(of: instruction.code.littleEndian) { bytes += $0 }
      bytes += [instruction.ifTrue, instruction.ifFalse]
      withUnsafeBytes(of: instruction.value.littleEndian) { bytes += $0 }
    }
    return bytes
  }

  /// Returns the indices of the instructions that can follow one: for a branch, the true target first.
  package func successors(of index: Int) -> [Int] {
    switch operations[index] {
    case .finish: []
    case .jump(let distance): [index + 1 + Int(distance)]
    case .branch: [index + 1 + Int(instructions[index].ifTrue), index + 1 + Int(instructions[index].ifFalse)]
    case .load, .store, .calculate, .negate, .copyToIndex, .copyFromIndex: [index + 1]
    }
  }

  /// Throws an error if a slot may be read before it is written (`check_load_and_stores`).
  private func checkSlots() throws(FilterProgramError) {
    var written = [UInt16](repeating: .max, count: operations.count)
    var valid: UInt16 = 0
    for (index, operation) in operations.enumerated() {
      valid &= written[index]
      switch operation {
      case .store(_, let slot): valid |= 1 << UInt16(slot)
      case .load(_, .slot(let slot)):
        guard valid & 1 << UInt16(slot) != 0 else { throw .unsetSlot(slot, at: index) }
      case .jump, .branch:
        for target in successors(of: index) { written[target] &= valid }
        valid = .max
      case .load, .calculate, .negate, .copyToIndex, .copyFromIndex, .finish: break
      }
    }
  }
}
