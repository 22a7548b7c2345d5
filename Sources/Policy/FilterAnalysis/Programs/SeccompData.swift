// SPDX-License-Identifier: Apache-2.0

/// The data of one system call that a filter sees. The corresponding structure is `struct seccomp_data`.
package struct SeccompData: Sendable, Hashable {
  /// The calling convention of the call. The corresponding constants are `AUDIT_ARCH_…`.
  package var architecture: UInt32
  /// The call's number.
  package var number: UInt32
  /// The six arguments.
  package var arguments: [UInt64]
  /// The address of the calling instruction.
  package var instructionPointer: UInt64

  /// The number of arguments of a call.
  package static let argumentCount = 6
  /// The number of 32-bit words of the structure.
  static let wordCount = 16

  /// Creates the data of a call. Missing arguments are zero, and arguments beyond the sixth are dropped.
  package init(
    architecture: UInt32,
    number: UInt32,
    arguments: [UInt64] = [],
    instructionPointer: UInt64 = 0
  ) {
    self.architecture = architecture
    self.number = number
    let missing = max(0, Self.argumentCount - arguments.count)
    self.arguments =
      Array(arguments.prefix(Self.argumentCount)) + [UInt64](repeating: 0, count: missing)
    self.instructionPointer = instructionPointer
  }

  /// The words as a filter loads them, in little-endian byte order.
  var words: [UInt32] {
    var words = [number, architecture]
    for value in [instructionPointer] + arguments {
      words += [UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value >> 32)]
    }
    return words
  }

  /// Creates the data of a call from its words.
  init(words: [UInt32]) {
    func pair(_ index: Int) -> UInt64 { UInt64(words[index]) | UInt64(words[index + 1]) << 32 }
    self.init(
      architecture: words[1],
      number: words[0],
      arguments: (0..<Self.argumentCount).map { pair(4 + 2 * $0) },
      instructionPointer: pair(2)
    )
  }
}
