// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A directory that somebody is using, or wants to remove; the claim dies with its holder (flock(2)).
package struct DirectoryHold: ~Copyable, Sendable {
  private let descriptor: Descriptor

  /// Takes over a descriptor whose claim is made.
  private init(descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// As with ``FileLock``, whoever is just being launched shares the open directory for a moment.
  deinit { _ = flock(descriptor.rawValue, LOCK_UN) }

  /// How a directory is claimed.
  package enum Claim: Sendable {
    /// Together with others who use it. The corresponding operation is `LOCK_SH`.
    case use
    /// Alone, to remove it. The corresponding operation is `LOCK_EX`.
    case removal
  }

  /// Claims a directory; nil if somebody else has a claim that does not go with this one.
  package static func attempt(_ path: String, for claim: Claim) throws(SystemCallError) -> DirectoryHold? {
    let descriptor = try FileSystem.open(path, [.directory, .noFollow])
    let raw = descriptor.rawValue
    do {
      try check("flock", path: path) { flock(raw, (claim == .use ? LOCK_SH : LOCK_EX) | LOCK_NB) }
    } catch  where error.errno == .wouldBlock {
      return nil
    }
    return DirectoryHold(descriptor: descriptor)
  }
}
