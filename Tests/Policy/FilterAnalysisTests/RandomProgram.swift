// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import TestSupport

/// A random program that the kernel accepts, with a generator for calls that reach its boundary values.
struct RandomProgram {
  let program: FilterProgram
  /// The constants in the instructions and their neighbors.
  private let boundaryValues: [UInt32]

  /// The set of instructions and return values of a program.
  enum Kind {
    /// Instructions that filter compilers write: loads, masks and comparisons with constants.
    case typical
    /// All instructions that the kernel accepts.
    case arbitrary
    /// All instructions that depend only on the number and the arguments of the call; terminates no process.
    case harmless
    /// The same as `harmless`, but with actions that terminate the process.
    case fatal

    /// The indices of the loaded 32-bit words of `struct seccomp_data`. A caller cannot choose its
    /// instruction pointer.
    var fieldIndices: [UInt32] {
      switch self {
      case .typical, .arbitrary: Array(0..<16)
      case .harmless, .fatal: [0, 1] + Array(4..<16)
      }
    }

    /// The values that a program can return.
    var returnValues: [UInt32] {
      let harmless: [UInt32] = [0x0005_0001, 0x0005_0026, 0x0005_0FFF, 0x0005_0123, 0x0005_0002, 0x7FFF_0000]
      let fatal: [UInt32] = [0x8000_0000, 0, 0x0003_0007, 0x0004_0000]
      return switch self {
      case .typical, .arbitrary: harmless + fatal + [0x7FC0_0000, 0x7FF0_0003, 0x7FFC_0000]
      case .harmless: harmless
      case .fatal: harmless + fatal
      }
    }
  }

  /// Creates a program with the given number of instructions; the last ones return.
  init(_ kind: Kind, length: Int, using generator: inout SeededGenerator) throws(FilterProgramError) {
    let first = kind.fieldIndices.randomElement(using: &generator) ?? 0
    var instructions = [FilterInstruction(code: 0x20, value: 4 * first)]
    // The kernel rejects a program that reads a slot before writing it.
    if kind != .typical {
      instructions += (0..<UInt32(FilterInstruction.slotCount)).map {
        FilterInstruction(code: 0x02, value: $0)
      }
    }
    while instructions.count < length {
      let remaining = length - instructions.count
      let instruction = Self.instruction(kind, &generator)
      instructions.append(remaining > 1 ? Self.jumping(instruction, remaining, &generator) : instruction)
    }
    for _ in 0..<3 {
      instructions.append(FilterInstruction(code: 0x06, value: Self.returnValue(kind, &generator)))
    }
    program = try FilterProgram(instructions)
    boundaryValues =
      instructions.flatMap { [$0.value, $0.value &+ 1, $0.value &- 1] } + [0, 1, .max, 1 << 31]
  }

  /// Returns a call whose fields are mostly boundary values of the program.
  func input(using generator: inout SeededGenerator) -> SeccompData {
    func fieldValue() -> UInt32 {
      let boundaryValue = boundaryValues.randomElement(using: &generator) ?? 0
      return switch UInt8.random(in: 0..<8, using: &generator) {
      case 0: UInt32.random(in: .min ... .max, using: &generator)
      case 1: boundaryValue ^ (1 << UInt32.random(in: 0..<32, using: &generator))
      default: boundaryValue
      }
    }
    func pair() -> UInt64 { UInt64(fieldValue()) << 32 | UInt64(fieldValue()) }
    return SeccompData(
      architecture: fieldValue(),
      number: fieldValue(),
      arguments: (0..<6).map { _ in pair() },
      instructionPointer: pair()
    )
  }

  private static func returnValue(_ kind: Kind, _ generator: inout SeededGenerator) -> UInt32 {
    kind.returnValues.randomElement(using: &generator) ?? 0
  }

  /// Returns a constant that is typical of masks and comparisons.
  private static func value(_ generator: inout SeededGenerator) -> UInt32 {
    switch UInt8.random(in: 0..<4, using: &generator) {
    case 0: UInt32.random(in: 0..<16, using: &generator)
    case 1: 1 << UInt32.random(in: 0..<32, using: &generator)
    case 2: UInt32.max << UInt32.random(in: 0..<32, using: &generator)
    default: UInt32.random(in: .min ... .max, using: &generator)
    }
  }

  private static func instruction(_ kind: Kind, _ generator: inout SeededGenerator) -> FilterInstruction {
    let ordinary: [UInt16] = [0x20, 0x20, 0x54, 0x15, 0x15, 0x25, 0x35, 0x45, 0x06]
    let others: [UInt16] = [
      0x00, 0x01, 0x80, 0x81, 0x60, 0x61, 0x02, 0x03, 0x07, 0x87, 0x84, 0x04, 0x0C, 0x14, 0x1C, 0x34, 0x44,
      0x4C,
      0x5C, 0xA4, 0xAC, 0x64, 0x74, 0x15, 0x25, 0x35, 0x45,
    ]
    let codes =
      switch kind {
      case .typical: ordinary
      case .arbitrary: ordinary + others + [0x16]
      case .harmless, .fatal: ordinary + others
      }
    let code = codes.randomElement(using: &generator) ?? 0x20
    let value: UInt32 =
      switch code {
      case 0x20: 4 * (kind.fieldIndices.randomElement(using: &generator) ?? 0)
      case 0x60, 0x61, 0x02, 0x03: UInt32.random(in: 0..<16, using: &generator)
      case 0x64, 0x74: UInt32.random(in: 0..<32, using: &generator)
      // A divisor with one bit: other divisors have no short exact description.
      case 0x34: 1 << UInt32.random(in: 0..<32, using: &generator)
      case 0x06: returnValue(kind, &generator)
      default: value(&generator)
      }
    return FilterInstruction(code: code, value: value)
  }

  /// Returns the instruction with short jump distances if it is a jump.
  private static func jumping(
    _ instruction: FilterInstruction,
    _ remaining: Int,
    _ generator: inout SeededGenerator
  ) -> FilterInstruction {
    guard instruction.code & 0x07 == 0x05 else { return instruction }
    var instruction = instruction
    let maximumDistance = UInt8(min(remaining, 6))
    instruction.ifTrue = UInt8.random(in: 0...maximumDistance, using: &generator)
    instruction.ifFalse = UInt8.random(in: 0...maximumDistance, using: &generator)
    return instruction
  }
}
