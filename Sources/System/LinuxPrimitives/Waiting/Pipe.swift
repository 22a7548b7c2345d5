// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A pipe (pipe2(2)).
@frozen
package struct Pipe: ~Copyable, Sendable {
  /// The end to read from.
  package var readEnd: Descriptor
  /// The end to write to.
  package var writeEnd: Descriptor

  /// Creates a pipe.
  package static func make() throws(SystemCallError) -> Pipe {
    var ends: [Int32] = [-1, -1]
    try check("pipe2") { pipe2(&ends, O_CLOEXEC) }
    return Pipe(readEnd: Descriptor(owning: ends[0]), writeEnd: Descriptor(owning: ends[1]))
  }

  /// Returns the read end and closes the write end.
  package consuming func takeReadEnd() -> Descriptor { readEnd }

  /// Returns the write end and closes the read end.
  package consuming func takeWriteEnd() -> Descriptor { writeEnd }
}
