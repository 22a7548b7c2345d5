// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A temporary directory that is removed with its last reference.
package final class ScratchDirectory: Sendable {
  /// The path of the directory.
  package let path: String

  /// Creates the directory.
  package init() throws {
    path = "/tmp/darkroom-host-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories(path)
  }

  deinit { try? FileSystem.removeTree(path) }
}
