// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis

/// Small example programs.
enum ExamplePrograms {
  /// Returns an instruction.
  static func instruction(_ code: UInt16, _ ifTrue: UInt8, _ ifFalse: UInt8, _ value: UInt32)
    -> FilterInstruction
  {
    FilterInstruction(code: code, ifTrue: ifTrue, ifFalse: ifFalse, value: value)
  }

  /// Allows socket(2) with one domain, clone(2) without the forbidden flags, and read(2), on x86_64.
  static func program(domain: UInt32 = 1, forbidden: UInt32 = 0x7E02_0000) throws -> FilterProgram {
    try FilterProgram([
      instruction(0x20, 0, 0, 4), instruction(0x15, 1, 0, 0xC000_003E), instruction(0x06, 0, 0, 0x8000_0000),
      instruction(0x20, 0, 0, 0), instruction(0x15, 0, 4, 41),
      instruction(0x20, 0, 0, 20), instruction(0x15, 0, 7, 0), instruction(0x20, 0, 0, 16),
      instruction(0x15, 4, 5, domain),
      instruction(0x15, 0, 2, 56), instruction(0x20, 0, 0, 16), instruction(0x45, 2, 1, forbidden),
      instruction(0x15, 0, 1, 0), instruction(0x06, 0, 0, 0x7FFF_0000), instruction(0x06, 0, 0, 0x0005_0001),
    ])
  }
}
