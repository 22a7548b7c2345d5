// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension FileSystem {
  /// Creates a hard link in the same directory (linkat(2)). A symbolic link itself gets the second name.
  package static func link(
    _ name: String,
    as other: String,
    in directory: borrowing Descriptor
  ) throws(SystemCallError) {
    let raw = directory.rawValue
    try check("linkat", path: other) { linkat(raw, name, raw, other, 0) }
  }
}
