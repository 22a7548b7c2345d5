// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import Testing

/// Accepts the programs that the kernel accepts.
@Suite struct FilterProgramTests {
  /// An instruction that allows the call.
  private static let allow = FilterInstruction(code: 0x06, value: 0x7FFF_0000)

  @Test func `a program survives a round trip through bytes`() throws {
    let program = try FilterProgram([
      FilterInstruction(code: 0x20, value: 4), FilterInstruction(code: 0x15, ifFalse: 1, value: 0xC000_003E),
      Self.allow, FilterInstruction(code: 0x06, value: 0x8000_0000),
    ])
    #expect(try FilterProgram(bytes: program.bytes) == program)
    #expect(Array(program.bytes[8..<16]) == [0x15, 0, 0, 1, 0x3E, 0, 0, 0xC0])
  }

  @Test func `rejects a program that the kernel would reject, with the position`() {
    #expect(throws: FilterProgramError.empty) { try FilterProgram(bytes: []) }
    #expect(throws: FilterProgramError.partialInstruction(bytes: 9)) {
      try FilterProgram(bytes: [UInt8](repeating: 0, count: 9))
    }
    #expect(throws: FilterProgramError.tooLong(instructions: 4097)) {
      try FilterProgram([FilterInstruction](repeating: Self.allow, count: 4097))
    }
    #expect(throws: FilterProgramError.missingReturn) { try FilterProgram([FilterInstruction(code: 0x20)]) }
    #expect(throws: FilterProgramError.jump(at: 0, to: 3)) {
      try FilterProgram([FilterInstruction(code: 0x15, ifTrue: 2), Self.allow])
    }
    #expect(throws: FilterProgramError.unsetSlot(3, at: 0)) {
      try FilterProgram([FilterInstruction(code: 0x60, value: 3), Self.allow])
    }
    #expect(throws: FilterProgramError.unsetSlot(3, at: 3)) {
      try FilterProgram([
        FilterInstruction(code: 0x20), FilterInstruction(code: 0x15, ifFalse: 1),
        FilterInstruction(code: 0x02, value: 3), FilterInstruction(code: 0x60, value: 3), Self.allow,
      ])
    }
  }

  @Test(arguments: [
    FilterInstruction(code: 0x20, value: 2), FilterInstruction(code: 0x20, value: 64),
    FilterInstruction(code: 0x28, value: 0), FilterInstruction(code: 0x34, value: 0),
    FilterInstruction(code: 0x64, value: 32), FilterInstruction(code: 0x60, value: 16),
    FilterInstruction(code: 0x94, value: 3), FilterInstruction(code: 0xFFFF, value: 0),
  ])
  func `rejects an instruction that the kernel does not accept`(instruction: FilterInstruction) {
    #expect(throws: FilterProgramError.instruction(instruction, at: 0)) {
      try FilterProgram([instruction, Self.allow])
    }
  }

  @Test func `decodes return values like the kernel`() {
    #expect(Verdict(returnValue: 0x7FFF_1234) == .allow)
    #expect(Verdict(returnValue: 0x0005_FFFF) == .errno(4095))
    #expect(Verdict(returnValue: 0x0004_0000) == .unknown(4))
    #expect(!Verdict.unknown(4).permits(under: .unknown) && !Verdict.errno(0).permits(under: .unknown))
    // An action that no kernel defines terminates the process, but the refusal of another filter has
    // priority.
    #expect(Verdict.unknown(0x7FFD).combined(withOlder: .errno(1)) == .errno(1))
    #expect(Verdict.errno(1).combined(withOlder: .unknown(4)) == .unknown(4))
  }
}
