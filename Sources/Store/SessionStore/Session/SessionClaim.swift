// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The exclusive right to finish a session whose host is gone.
enum SessionClaim {
  /// Claims a session's lock; nil if a host is at work on the session, or if it is finished meanwhile.
  ///
  /// Under the lock of the directory of all sessions, so that a session that is being made is never claimed.
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

  /// Whether a host is at work on the session with that lock.
  ///
  /// Under the lock of the directory too, so that no host that wants to claim the session meets this question instead.
  static func isHeld(_ lockFile: String, in root: StateRoot) throws(StoreError) -> Bool {
    let allSessions = try lockDirectory(root.sessionsDirectory)
    let isHeld = try system { () throws(SystemCallError) in try FileLock.isHeld(lockFile) }
    _ = allSessions
    return isHeld ?? false
  }
}
