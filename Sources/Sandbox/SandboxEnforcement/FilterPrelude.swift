// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// The instructions in front of those of libseccomp. They handle system call numbers for which libseccomp has
/// no rule.
enum FilterPrelude {
  /// The bit that marks a system call number of the x32 ABI. The corresponding constant is
  /// `__X32_SYSCALL_BIT`.
  private static let x32Bit: UInt32 = 0x4000_0000

  /// Returns the instructions for one architecture.
  static func bytes(_ table: SystemCallTable, _ architecture: MachineArchitecture) -> [UInt8] {
    var part = boundsChecks(table, architecture)
    for gap in table.gaps {
      part.jump(.greaterOrEqual, UInt32(gap.lowerBound), true: 0, false: 2)
      part.jump(.greater, UInt32(gap.upperBound), true: 1, false: 0)
      part.finish(.notImplemented)
    }
    return part.bytes
  }

  /// Returns a program with the same decisions as one that begins with ``bytes(_:_:)``, in fewer instructions
  /// if possible.
  static func shortened(_ program: [UInt8], _ table: SystemCallTable, _ architecture: MachineArchitecture)
    -> [UInt8]
  {
    let tree = FilterTree(program, newest: table.newest, architecture: architecture.auditArchitecture)
    guard let rest = tree?.program() else { return program }
    let shortened = boundsChecks(table, architecture).bytes + rest
    return shortened.count < program.count ? shortened : program
  }

  /// Returns the tests for other architectures and for numbers above the newest known number. They leave the
  /// system call number in the accumulator.
  private static func boundsChecks(_ table: SystemCallTable, _ architecture: MachineArchitecture)
    -> FilterAssembly
  {
    var part = FilterAssembly()
    part.load(.architecture)
    part.jump(.equal, architecture.auditArchitecture, true: 1, false: 0)
    part.finish(.killProcess)
    part.load(.number)
    let beyond = numbersBeyondTable(architecture)
    part.jump(.greater, UInt32(table.newest), true: 0, false: UInt8(beyond.count))
    part.append(beyond)
    return part
  }

  /// Returns the instructions for numbers above the newest known number.
  private static func numbersBeyondTable(_ architecture: MachineArchitecture) -> FilterAssembly {
    var part = x32Calls(architecture)
    part.finish(.notImplemented)
    return part
  }

  /// Returns instructions that kill a process for a call of the x32 ABI, whose number is in the accumulator, and
  /// otherwise continue. They are empty for an architecture without such an ABI.
  static func x32Calls(_ architecture: MachineArchitecture) -> FilterAssembly {
    var part = FilterAssembly()
    guard architecture == .x86 else { return part }
    // A tracer sets -1 for a call that is to be skipped. -1 is not an x32 call.
    part.jump(.equal, .max, true: 2, false: 0)
    part.jump(.greaterOrEqual, x32Bit, true: 0, false: 1)
    part.finish(.killProcess)
    return part
  }
}
