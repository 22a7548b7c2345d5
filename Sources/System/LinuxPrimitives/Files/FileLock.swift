// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A lock on a file that dies with its holder (flock(2)).
package struct FileLock: ~Copyable, Sendable {
  private let descriptor: Descriptor

  /// Takes over a descriptor whose lock is held.
  private init(descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// The lock is the open file's, which a process that is just being launched shares until it executes its program:
  /// closing alone would let go only then.
  deinit { _ = flock(descriptor.rawValue, LOCK_UN) }

  /// Takes the lock, making the file if it is not there and may be made; nil if somebody else holds it.
  package static func tryLock(_ path: String, making: Bool = true) throws(SystemCallError) -> FileLock? {
    let flags: OpenFlags = making ? [.readWrite, .create, .noFollow] : [.readWrite, .noFollow]
    let descriptor = try FileSystem.open(path, flags)
    let raw = descriptor.rawValue
    do {
      try check("flock", path: path) { flock(raw, LOCK_EX | LOCK_NB) }
    } catch  where error.errno == .wouldBlock {
      return nil
    }
    return FileLock(descriptor: descriptor)
  }

  /// Takes the lock, waiting until whoever holds it lets go.
  package static func lock(_ path: String) throws(SystemCallError) -> FileLock {
    let descriptor = try FileSystem.open(path, [.readWrite, .create, .noFollow])
    let raw = descriptor.rawValue
    try check("flock", path: path) { flock(raw, LOCK_EX) }
    return FileLock(descriptor: descriptor)
  }

  /// Takes the lock of an open file or directory, waiting until whoever holds it lets go.
  package static func lock(owning descriptor: consuming Descriptor) throws(SystemCallError) -> FileLock {
    let raw = descriptor.rawValue
    try check("flock") { flock(raw, LOCK_EX) }
    return FileLock(descriptor: descriptor)
  }

  /// Takes the lock of a file that is there and may be moved or removed by whoever holds it; nil if there is none, if
  /// somebody holds it, or if the file that was locked no longer has this path. Nothing is made.
  package static func claimExisting(_ path: String) throws(SystemCallError) -> FileLock? {
    do {
      let descriptor = try FileSystem.open(path, [.readWrite, .noFollow])
      let raw = descriptor.rawValue
      try check("flock", path: path) { flock(raw, LOCK_EX | LOCK_NB) }
      let held = try descriptor.status()
      guard let there = try FileSystem.status(path), there.inode == held.inode, there.device == held.device
      else {
        return nil
      }
      return FileLock(descriptor: descriptor)
    } catch  where error.errno == .wouldBlock || error.errno == .noSuchFile {
      return nil
    }
  }

  /// Takes the lock of a file that may be moved or removed by whoever holds it; nil if somebody holds it, or if the
  /// file that was locked no longer has this path.
  ///
  /// The second look is needed because the holder can remove the file between the opening and the locking of it.
  package static func claim(_ path: String, making: Bool = true) throws(SystemCallError) -> FileLock? {
    guard let lock = try tryLock(path, making: making) else { return nil }
    let held = try lock.descriptor.status()
    guard let there = try FileSystem.status(path), there.inode == held.inode, there.device == held.device
    else {
      return nil
    }
    return lock
  }

  /// The same as ``claim(_:)``, waiting until nobody holds it: the file that is locked in the end has this path.
  package static func waitForClaim(_ path: String) throws(SystemCallError) -> FileLock {
    while true {
      let lock = try lock(path)
      let held = try lock.descriptor.status()
      // Whoever held it may have removed it; then the name is free, or somebody else's new file has it.
      if let there = try FileSystem.status(path), there.inode == held.inode, there.device == held.device {
        return lock
      }
    }
  }

  /// Whether somebody holds the lock of the file at a path; nil if there is no such file.
  ///
  /// Nothing is made, and the file is only opened for reading, so that one that cannot be written can be asked about.
  /// Those who ask at the same time do not see each other.
  package static func isHeld(_ path: String) throws(SystemCallError) -> Bool? {
    do {
      let descriptor = try FileSystem.open(path, [.noFollow])
      let raw = descriptor.rawValue
      try check("flock", path: path) { flock(raw, LOCK_SH | LOCK_NB) }
      return false
    } catch  where error.errno == .wouldBlock {
      return true
    } catch  where error.errno == .noSuchFile {
      return nil
    }
  }

  /// Waits until nobody holds the lock of the file at a path, or the time `deadline` (``MonotonicClock``) comes; a file
  /// that is not there is free.
  ///
  /// The kernel tells nobody when such a lock is let go, and waiting for it has no end: so it is looked at again and
  /// again, which is why the deadline has to be near.
  package static func waitUntilFree(_ path: String, until deadline: UInt64) throws(SystemCallError) {
    while try isHeld(path) ?? false, MonotonicClock.now < deadline { MonotonicClock.sleep(milliseconds: 10) }
  }
}
