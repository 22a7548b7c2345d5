// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// The instructions in front of libseccomp's: they deal with the numbers that libseccomp has no rule for.
enum FilterPrelude {
  /// The bit that makes a number one of x32. The corresponding constant is `__X32_SYSCALL_BIT`.
  private static let x32Bit: UInt32 = 0x4000_0000

  /// The instructions for one architecture.
  static func bytes(_ table: SystemCallTable, _ architecture: MachineArchitecture) -> [UInt8] {
    var part = knownNumbers(table, architecture)
    for gap in table.gaps {
      part.jump(.greaterOrEqual, UInt32(gap.lowerBound), true: 0, false: 2)
      part.jump(.greater, UInt32(gap.upperBound), true: 1, false: 0)
      part.finish(.notImplemented)
    }
    return part.bytes
  }

  /// The same decisions as those of a program that begins with ``bytes(_:_:)``, in fewer instructions where that can be.
  static func shortened(_ program: [UInt8], _ table: SystemCallTable, _ architecture: MachineArchitecture)
    -> [UInt8]
  {
    let tree = FilterTree(program, newest: table.newest, architecture: architecture.auditNumber)
    guard let rest = tree?.program() else { return program }
    let shortened = knownNumbers(table, architecture).bytes + rest
    return shortened.count < program.count ? shortened : program
  }

  /// What is said of other architectures' calls and of numbers above the newest; leaves the number in the accumulator.
  private static func knownNumbers(_ table: SystemCallTable, _ architecture: MachineArchitecture)
    -> FilterAssembly
  {
    var part = FilterAssembly()
    part.load(.architecture)
    part.jump(.equal, architecture.auditNumber, true: 1, false: 0)
    part.finish(.killProcess)
    part.load(.number)
    let beyond = numbersBeyondTable(architecture)
    part.jump(.greater, UInt32(table.newest), true: 0, false: UInt8(beyond.count))
    part.append(beyond)
    return part
  }

  /// What happens to numbers above the newest known one.
  private static func numbersBeyondTable(_ architecture: MachineArchitecture) -> FilterAssembly {
    var part = FilterAssembly()
    if architecture == .x86 {
      // Minus one is what a tracer leaves behind for a call that is to be skipped; it is no x32 call.
      part.jump(.equal, .max, true: 2, false: 0)
      part.jump(.greaterOrEqual, x32Bit, true: 0, false: 1)
      part.finish(.killProcess)
    }
    part.finish(.notImplemented)
    return part
  }
}
