// SPDX-License-Identifier: Apache-2.0

/// A compiled seccomp filter, in the form that `SECCOMP_SET_MODE_FILTER` takes.
package struct SeccompFilter: Sendable, Hashable {
  /// The program: an array of `struct sock_filter`, eight bytes each, in the byte order of the machine.
  package let instructions: [UInt8]

  /// Creates a filter from instructions.
  package init(instructions: [UInt8]) { self.instructions = instructions }

  /// The number of instructions, as in `struct sock_fprog`.
  package var count: Int { instructions.count / Self.instructionSize }

  /// The size of one `struct sock_filter`.
  package static let instructionSize = 8
  /// The maximum number of instructions: the kernel's limit (`BPF_MAXINSNS`) minus the instructions that
  /// ``ReportingFilters`` adds.
  package static let maximumInstructionCount = 4096 - ReportingFilters.maximumAdditionalInstructions
}
