// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A file that a host keeps for itself against writers: a shared lock on the whole and on its beginning (flock(2),
/// fcntl(2)).
package struct SharedLock: ~Copyable, Sendable {
  /// The open file that has the locks.
  private let descriptor: Descriptor

  /// Takes the locks of a file that is there.
  package static func take(_ path: String) throws(SystemCallError) -> SharedLock {
    let descriptor = try FileSystem.open(path, .read)
    let raw = descriptor.rawValue
    try check("flock", path: path) { darkroom_share_lock(raw) }
    return SharedLock(descriptor: descriptor)
  }
}

/// A key in a keyring that every child would be born with (keyrings(7)).
package enum HostKey {
  /// Gives the calling thread, and those that it makes from now on, a session keyring with this key in it. The keyring
  /// goes with the last of them.
  package static func hold(_ name: String) throws(SystemCallError) {
    try check("add_key", path: name) { darkroom_hold_key(name) }
  }
}
