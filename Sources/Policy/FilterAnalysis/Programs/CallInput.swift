// SPDX-License-Identifier: Apache-2.0

/// What a filter sees of one system call. The corresponding structure is `struct seccomp_data`.
package struct CallInput: Sendable, Hashable {
  /// How the call was made. The corresponding constants are `AUDIT_ARCH_…`.
  package var architecture: UInt32
  /// The call's number.
  package var number: UInt32
  /// The six arguments.
  package var arguments: [UInt64]
  /// Where the call was made.
  package var instructionPointer: UInt64

  /// How many arguments a call has.
  package static let argumentCount = 6
  /// The number of 32-bit words of the structure.
  static let wordCount = 16

  /// Describes a call; arguments that are not given are zero, and more than six are dropped.
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

  /// The words as a filter loads them, in the byte order of a machine that stores the low half first.
  var words: [UInt32] {
    var words = [number, architecture]
    for value in [instructionPointer] + arguments {
      words += [UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value >> 32)]
    }
    return words
  }

  /// The call that these words are.
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
