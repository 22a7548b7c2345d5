// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A lock on a directory that is in use or about to be removed. The kernel releases it when its holder exits
/// (flock(2)).
package struct DirectoryLock: ~Copyable, Sendable {
  private let descriptor: Descriptor

  /// Takes ownership of a descriptor that holds the lock.
  private init(descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// A process that is being launched shares the open directory for a moment, as with ``FileLock``.
  deinit { _ = flock(descriptor.rawValue, LOCK_UN) }

  /// The purpose of a lock.
  package enum Claim: Sendable {
    /// Use, shared with other users of the directory. The corresponding operation is `LOCK_SH`.
    case use
    /// Removal, exclusive. The corresponding operation is `LOCK_EX`.
    case removal
  }

  /// Locks a directory, or returns `nil` if another holder has a conflicting lock.
  package static func attempt(_ path: String, for claim: Claim) throws(SystemCallError) -> DirectoryLock? {
    let descriptor = try FileSystem.open(path, [.directory, .noFollow])
    let raw = descriptor.rawValue
    do {
      try check("flock", path: path) { flock(raw, (claim == .use ? LOCK_SH : LOCK_EX) | LOCK_NB) }
    } catch  where error.errno == .wouldBlock {
      return nil
    }
    return DirectoryLock(descriptor: descriptor)
  }
}
