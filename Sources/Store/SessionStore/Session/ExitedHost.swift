// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The release of locks by a host that has just exited.
///
/// A child that the host was forking shares the open files of the host until it calls execve(2). It keeps the
/// session locks until the kernel has closed its files.
enum ExitedHost {
  /// The maximum wait in nanoseconds.
  private static let timeout: UInt64 = 2_000_000_000

  /// Claims a session's lock like ``SessionClaim/claim(_:in:)``, but waits for it if the host in the journal
  /// has exited.
  ///
  /// Lock and journal are in the session directory, or in the trash. A lock that is still held at the timeout
  /// belongs to another recovery.
  static func claim(_ lockFile: String, journal: String, in root: StateRoot) throws(StoreError) -> FileLock? {
    let deadline = MonotonicClock.now + timeout
    while true {
      if let lock = try SessionClaim.claim(lockFile, in: root) { return lock }
      guard MonotonicClock.now < deadline, let journal = try? Journal.read(journal),
        hasExited(journal.hostProcess)
      else { return nil }
      MonotonicClock.sleep(milliseconds: 5)
    }
  }

  /// Whether a process has exited, even if its parent has not reaped it yet.
  static func hasExited(_ process: Int32) -> Bool {
    guard let handle = ProcessFacts(process)?.handle() else { return true }
    return (try? Poller.events(of: handle.descriptor.rawValue, .readable))?.contains(.readable) == true
  }
}
