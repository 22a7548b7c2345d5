// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The two ends of a pipe (pipe2(2)).
@frozen
package struct Pipe: ~Copyable, Sendable {
  /// Where bytes come out.
  package var readEnd: Descriptor
  /// Where bytes go in.
  package var writeEnd: Descriptor

  /// Makes a pipe.
  package static func make() throws(SystemCallError) -> Pipe {
    var ends: [Int32] = [-1, -1]
    try check("pipe2") { pipe2(&ends, O_CLOEXEC) }
    return Pipe(readEnd: Descriptor(owning: ends[0]), writeEnd: Descriptor(owning: ends[1]))
  }

  /// Keeps the end where bytes come out and closes the other.
  package consuming func takeReadEnd() -> Descriptor { readEnd }

  /// Keeps the end where bytes go in and closes the other.
  package consuming func takeWriteEnd() -> Descriptor { writeEnd }
}
