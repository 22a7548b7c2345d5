// SPDX-License-Identifier: Apache-2.0

/// A compiled filter of system calls, as `SECCOMP_SET_MODE_FILTER` takes it.
package struct SeccompFilter: Sendable, Hashable {
  /// The program: an array of `struct sock_filter`, eight bytes each, in the byte order of the machine.
  package let instructions: [UInt8]

  /// A filter with these instructions, whoever has made them.
  package init(instructions: [UInt8]) { self.instructions = instructions }

  /// The number of instructions, as `struct sock_fprog` wants it.
  package var count: Int { instructions.count / Self.instructionSize }

  /// The size of one `struct sock_filter`.
  package static let instructionSize = 8
  /// The longest program: what the kernel accepts (`BPF_MAXINSNS`), less what ``ReportingFilters`` puts in front.
  package static let longest = 4096 - ReportingFilters.mostAdditionalInstructions
}
