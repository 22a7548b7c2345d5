// SPDX-License-Identifier: Apache-2.0

/// A file that the kernel starts for a program.
package enum ProgramPart: String, Sendable, Hashable {
  /// The interpreter that the first line of a script names.
  case interpreter
  /// The loader that an ELF program names.
  case loader
}
