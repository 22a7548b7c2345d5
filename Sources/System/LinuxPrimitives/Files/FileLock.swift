// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A lock on a file, which the kernel releases when its holder exits (flock(2)).
package struct FileLock: ~Copyable, Sendable {
  private let descriptor: Descriptor

  /// Takes ownership of a descriptor that holds the lock.
  private init(descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// The lock belongs to the open file description, which a process that is being launched shares until it
  /// executes its program. Closing the descriptor alone would not release the lock before then.
  deinit { _ = flock(descriptor.rawValue, LOCK_UN) }

  /// Takes the lock, creating the file if it does not exist and `creating` is true. Returns `nil` if another
  /// holder has the lock.
  package static func tryLock(_ path: String, creating: Bool = true) throws(SystemCallError) -> FileLock? {
    let flags: OpenFlags = creating ? [.readWrite, .create, .noFollow] : [.readWrite, .noFollow]
    let descriptor = try FileSystem.open(path, flags)
    let raw = descriptor.rawValue
    do {
      try check("flock", path: path) { flock(raw, LOCK_EX | LOCK_NB) }
    } catch  where error.errno == .wouldBlock {
      return nil
    }
    return FileLock(descriptor: descriptor)
  }

  /// Takes the lock, waiting until it is free.
  package static func lock(_ path: String) throws(SystemCallError) -> FileLock {
    let descriptor = try FileSystem.open(path, [.readWrite, .create, .noFollow])
    let raw = descriptor.rawValue
    try check("flock", path: path) { flock(raw, LOCK_EX) }
    return FileLock(descriptor: descriptor)
  }

  /// Takes the lock of an open file or directory, waiting until it is free.
  package static func lock(owning descriptor: consuming Descriptor) throws(SystemCallError) -> FileLock {
    let raw = descriptor.rawValue
    try check("flock") { flock(raw, LOCK_EX) }
    return FileLock(descriptor: descriptor)
  }

  /// Takes the lock of an existing file that its holder may move or remove. Creates no file.
  ///
  /// Returns `nil` if the file does not exist, if another holder has the lock, or if the locked file no
  /// longer has this path.
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

  /// Takes the lock of a file that its holder may move or remove. Returns `nil` if another holder has the
  /// lock, or if the locked file no longer has this path.
  ///
  /// The path is checked again because the holder can remove the file after it is opened and before it is
  /// locked.
  package static func claim(_ path: String, creating: Bool = true) throws(SystemCallError) -> FileLock? {
    guard let lock = try tryLock(path, creating: creating) else { return nil }
    let held = try lock.descriptor.status()
    guard let there = try FileSystem.status(path), there.inode == held.inode, there.device == held.device
    else {
      return nil
    }
    return lock
  }

  /// Takes the lock as ``claim(_:)`` does, waiting until it is free. The locked file has this path when the
  /// call returns.
  package static func waitForClaim(_ path: String) throws(SystemCallError) -> FileLock {
    while true {
      let lock = try lock(path)
      let held = try lock.descriptor.status()
      // The previous holder may have removed the file. Then the path is free, or belongs to a new file of
      // another process.
      if let there = try FileSystem.status(path), there.inode == held.inode, there.device == held.device {
        return lock
      }
    }
  }

  /// Returns whether the file at a path is locked, or `nil` if the file does not exist.
  ///
  /// The call creates no file and opens the file only for reading, so it works for files that cannot be
  /// written. Concurrent callers do not see each other's shared lock.
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

  /// Waits until the file at a path is not locked, or until `deadline` (``MonotonicClock``). A missing file
  /// is not locked.
  ///
  /// The kernel does not report the release of a lock, and flock(2) has no timeout. The lock is therefore
  /// polled, and the deadline should be near.
  package static func waitUntilFree(_ path: String, until deadline: UInt64) throws(SystemCallError) {
    while try isHeld(path) ?? false, MonotonicClock.now < deadline { MonotonicClock.sleep(milliseconds: 10) }
  }
}
