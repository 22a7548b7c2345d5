// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives

/// A directory of its own for one test, gone when nobody refers to it any more.
final class ScratchDirectory {
  /// The directory.
  let path: String

  /// Makes it.
  init() throws {
    path = "/tmp/darkroom-host-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories(path)
  }

  deinit { try? FileSystem.removeTree(path) }
}
