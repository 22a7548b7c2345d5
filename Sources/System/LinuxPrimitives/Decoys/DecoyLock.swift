// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A decoy: shared locks on a whole file and on its first byte (flock(2), fcntl(2)), such as a host holds
/// against writers.
package struct DecoyLock: ~Copyable, Sendable {
  /// The open file that holds the locks.
  private let descriptor: Descriptor

  /// Takes the locks of an existing file.
  package static func take(_ path: String) throws(SystemCallError) -> DecoyLock {
    let descriptor = try FileSystem.open(path, .read)
    let raw = descriptor.rawValue
    try check("flock", path: path) { darkroom_share_lock(raw) }
    return DecoyLock(descriptor: descriptor)
  }
}

/// A decoy: a key in a session keyring, which every child process would inherit (keyrings(7)).
package enum DecoyKey {
  /// Gives the calling thread, and the threads that it creates later, a session keyring with this key. The
  /// keyring is destroyed with the last of these threads.
  package static func hold(_ name: String) throws(SystemCallError) {
    try check("add_key", path: name) { darkroom_add_key(name) }
  }
}
