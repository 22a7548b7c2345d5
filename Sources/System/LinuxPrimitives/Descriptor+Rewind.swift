// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension Descriptor {
  /// Moves the file offset to the first byte (lseek(2)).
  package borrowing func rewind() throws(SystemCallError) {
    let raw = rawValue
    try check("lseek") { lseek(raw, 0, SEEK_SET) }
  }
}
