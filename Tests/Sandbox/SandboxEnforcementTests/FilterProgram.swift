// SPDX-License-Identifier: Apache-2.0

import SandboxEnforcement
import SandboxPolicy

/// An evaluator of classic BPF that shares no code with the compiler.
struct FilterProgram {
  /// The input of a filter (`struct seccomp_data`).
  struct Call {
    var number: UInt32
    var architecture = MachineArchitecture.native.auditArchitecture
    var arguments: [UInt64] = [0, 0, 0, 0, 0, 0]

    /// Returns the 32-bit word at an offset, or `nil` if the offset is invalid.
    func word(_ offset: UInt32) -> UInt32? {
      switch offset {
      case 0: return number
      case 4: return architecture
      case 8, 12: return 0
      case 16..<64 where offset % 4 == 0:
        let argument = arguments[Int(offset - 16) / 8]
        return UInt32(truncatingIfNeeded: offset % 8 == 0 ? argument : argument >> 32)
      default: return nil
      }
    }
  }

  /// The verdict of a filter.
  enum Verdict: Equatable {
    case allow
    case fail(errno: UInt32)
    case killProcess
    case report
    case other(UInt32)

    init(_ value: UInt32) {
      switch value {
      case 0x7FFF_0000: self = .allow
      case 0x8000_0000: self = .killProcess
      case 0x7FC0_0000: self = .report
      case 0x0005_0000...0x0005_FFFF: self = .fail(errno: value & 0xFFFF)
      default: self = .other(value)
      }
    }

    static let notPermitted = Verdict.fail(errno: 1)
    static let notImplemented = Verdict.fail(errno: 38)
    static let notSupported = Verdict.fail(errno: 95)
  }

  /// The reason that a program cannot be evaluated.
  enum Fault: Error {
    case unknownInstruction(code: UInt16, at: Int)
    case badOffset(UInt32)
    case missingReturn
  }

  private let code: [(code: UInt16, ifTrue: Int, ifFalse: Int, value: UInt32)]

  init(_ filter: SeccompFilter) { self.init(filter.instructions) }

  init(_ instructions: [UInt8]) {
    let bytes = instructions.map(UInt32.init)
    code = stride(from: 0, to: bytes.count - 7, by: 8).map { at in
      let value = bytes[at + 4] | bytes[at + 5] << 8 | bytes[at + 6] << 16 | bytes[at + 7] << 24
      return (UInt16(bytes[at] | bytes[at + 1] << 8), Int(bytes[at + 2]), Int(bytes[at + 3]), value)
    }
  }

  /// Runs the program on a call.
  func verdict(_ call: Call) throws -> Verdict {
    var accumulator: UInt32 = 0
    var at = 0
    while at < code.count {
      let (code, ifTrue, ifFalse, value) = code[at]
      at += 1
      switch code {
      case 0x20:
        guard let word = call.word(value) else { throw Fault.badOffset(value) }
        accumulator = word
      case 0x05: at += Int(value)
      case 0x15: at += accumulator == value ? ifTrue : ifFalse
      case 0x25: at += accumulator > value ? ifTrue : ifFalse
      case 0x35: at += accumulator >= value ? ifTrue : ifFalse
      case 0x45: at += accumulator & value != 0 ? ifTrue : ifFalse
      case 0x54: accumulator &= value
      case 0x06: return Verdict(value)
      default: throw Fault.unknownInstruction(code: code, at: at - 1)
      }
    }
    throw Fault.missingReturn
  }

  /// Runs the program on a call with a number and arguments.
  func verdict(_ number: Int, _ arguments: UInt64...) throws -> Verdict {
    let padded = arguments + Array(repeating: 0, count: 6 - arguments.count)
    return try verdict(Call(number: UInt32(truncatingIfNeeded: number), arguments: padded))
  }
}
