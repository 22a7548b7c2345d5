// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A host that has died a moment ago.
///
/// Its sessions' locks go with it, but for what it was just launching: a process that has not executed its program yet shares
/// what the host had open, and holds the lock until the kernel has come to its files, too.
enum DyingHost {
  /// How long that may take, in nanoseconds.
  private static let patience: UInt64 = 2_000_000_000

  /// Claims a session's lock as ``SessionClaim/claim(_:in:)`` does, but waits for it if the host that the journal names has
  /// ended. Nobody else can be at work on the session then but another recovery, which is left to it after that time.
  ///
  /// Lock and journal are those of the session's directory or, once that is buried, those that lie in the trash.
  static func claim(_ lockFile: String, journal: String, in root: StateRoot) throws(StoreError) -> FileLock? {
    let deadline = MonotonicClock.now + patience
    while true {
      if let lock = try SessionClaim.claim(lockFile, in: root) { return lock }
      guard MonotonicClock.now < deadline, let journal = try? Journal.read(journal),
        hasEnded(journal.hostProcess)
      else { return nil }
      MonotonicClock.sleep(milliseconds: 5)
    }
  }

  /// Whether a process does nothing any more, whoever has still to take its status.
  static func hasEnded(_ process: Int32) -> Bool {
    guard let handle = ProcessFacts(process)?.handle() else { return true }
    return (try? Poller.events(of: handle.descriptor.rawValue, .readable))?.contains(.readable) == true
  }
}
