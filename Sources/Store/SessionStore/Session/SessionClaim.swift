// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The exclusive right to finish a session whose host died.
enum SessionClaim {
  /// Claims a session's lock, or returns `nil` if a host is running the session or another process has
  /// finished it.
  ///
  /// The lock of the sessions directory is held meanwhile, so that a session is never claimed during its
  /// creation.
  static func claim(_ lockFile: String, in root: StateRoot) throws(StoreError) -> FileLock? {
    let allSessions = try lockDirectory(root.sessionsDirectory)
    let lock: FileLock?
    do {
      lock = try FileLock.claim(lockFile)
    } catch  where error.errno == .noSuchFile {
      lock = nil
    } catch { throw .system(error) }
    _ = allSessions
    return lock
  }

  /// Whether a host holds the lock of a session.
  ///
  /// The lock of the sessions directory is held meanwhile, so that this test never blocks a concurrent claim.
  static func isHeld(_ lockFile: String, in root: StateRoot) throws(StoreError) -> Bool {
    let allSessions = try lockDirectory(root.sessionsDirectory)
    let isHeld = try system { () throws(SystemCallError) in try FileLock.isHeld(lockFile) }
    _ = allSessions
    return isHeld ?? false
  }
}
